// 2026-07-28 over stdio: which era a connection speaks, and what its requests may ask for.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

import { wait_until } from "./support/deadline.mjs";
import { with_engine } from "./support/engine.mjs";
import { modern, modern_meta } from "./support/mcp_http.mjs";
import { ci_failure, exception, word } from "./support/samples.mjs";

const key = (name) => `io.modelcontextprotocol/${name}`;
const wait_for_alert = { name: "observe", arguments: { what: "alerts", wait_seconds: 50 } };

// An engine to which nothing has been said yet.
const with_modern = (use) => with_engine(use, { version: null });

const ask = (engine, method, params = {}, { id, ...claims } = {}) =>
  engine.request(method, { ...params, _meta: modern_meta(claims) }, id === undefined ? {} : { id });

const start = (engine, id, method, params = {}, claims = {}) =>
  engine.send({ jsonrpc: "2.0", id, method, params: { ...params, _meta: modern_meta(claims) } });

const assert_error = (answer, code) =>
  assert.equal(answer.error?.code, code, JSON.stringify(answer));

test("server/discover is answered and pins nothing: initialize may follow", async () => {
  await with_modern(async (engine) => {
    const { result } = await ask(engine, "server/discover");
    assert.deepEqual(result.supportedVersions, [modern]);
    assert.equal(result.resultType, "complete");
    assert.equal(result._meta[key("serverInfo")].name, "gasoline");
    const { result: agreed } = await engine.initialize();
    assert.equal(agreed.protocolVersion, "2025-11-25");
    assert.equal(agreed.resultType, undefined);
    const { result: listed } = await engine.request("tools/list");
    assert.equal(listed.ttlMs, undefined);
    assert.equal(listed.resultType, undefined);
  });
});

test("a claimed request pins: initialize is then -32022", async () => {
  await with_modern(async (engine) => {
    const { result } = await ask(engine, "tools/list");
    assert.equal(result.resultType, "complete");
    assert.ok("ttlMs" in result && "cacheScope" in result);
    const refused = await engine.request("initialize", {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "t", version: "1" },
    });
    assert_error(refused, -32022);
    assert.deepEqual(refused.error.data, { supported: [modern], requested: "2025-11-25" });
    assert.ok((await ask(engine, "tools/list")).result);
  });
});

test("an unclaimed first message is legacy", async () => {
  await with_modern(async (engine) => {
    assert.deepEqual((await engine.request("ping")).result, {});
    assert.equal((await engine.initialize()).result.protocolVersion, "2025-11-25");
    await engine.assert_alive();
  });
});

test("claims: incomplete ones are -32602, unknown versions -32022, gone methods -32601", async () => {
  await with_modern(async (engine) => {
    const meta = modern_meta();
    delete meta[key("clientCapabilities")];
    assert_error(await engine.request("tools/list", { _meta: meta }), -32602);
    const refused = await ask(engine, "tools/list", {}, { version: "v999.0.0" });
    assert_error(refused, -32022);
    assert.deepEqual(refused.error.data.supported, [modern]);
    assert_error(await ask(engine, "tools/list", {}, { log_level: "loud" }), -32602);
    for (const method of ["ping", "logging/setLevel", "resources/subscribe", "nope"])
      assert_error(await ask(engine, method), -32601);
    assert_error(await ask(engine, "resources/read", { uri: "gasoline://nowhere" }), -32602);
    assert_error(await ask(engine, "tools/call", { name: "nope" }), -32602);
  });
});

test("a batch is refused, the connection lives on", async () => {
  await with_modern(async (engine) => {
    await ask(engine, "tools/list");
    const from = engine.messages.length;
    engine.send([
      { jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta: modern_meta() } },
    ]);
    const told = await engine.message((m) => m.error, { from });
    assert.equal(told.error.code, -32600);
    assert.ok((await ask(engine, "tools/list")).result);
  });
});

test("a waiting call: progress and log messages for who asked, then the result", async () => {
  await with_modern(async (engine) => {
    start(engine, "loud", "tools/call", wait_for_alert, { token: "t", log_level: "info" });
    await engine.message((m) => m.method === "notifications/progress");
    await engine.post("/ci-result", ci_failure({ source: "for-the-loud" }));
    const { result } = await engine.answer("loud");
    assert.equal(result.resultType, "complete");
    assert.match(result.content[0].text, /for-the-loud/);
    const at = engine.messages.findIndex((m) => m.id === "loud");
    const notice = engine.messages.findIndex((m) => m.method === "notifications/message");
    assert.ok(notice >= 0 && notice < at, "the message comes before the result");
    assert.match(JSON.stringify(engine.messages[notice]), /for-the-loud/);

    start(engine, "silent", "tools/call", wait_for_alert);
    const from = engine.messages.length;
    await engine.post("/ci-result", ci_failure({ source: "for-the-silent" }));
    await engine.answer("silent");
    assert.deepEqual(
      engine.messages.slice(from).filter((m) => m.method),
      [],
    );
  });
});

test("cancelled: no answer, nothing is read, unknown ids are ignored", async () => {
  await with_modern(async (engine) => {
    for (const id of ["never", 7, "x".repeat(5000)])
      engine.notify("notifications/cancelled", { requestId: id });
    start(engine, "gone", "tools/call", wait_for_alert, { token: 1 });
    await engine.message((m) => m.method === "notifications/progress");
    engine.notify("notifications/cancelled", { requestId: "gone" });
    await ask(engine, "tools/list");
    await engine.post("/ci-result", ci_failure({ source: "after-cancel" }));
    const { result } = await ask(engine, "tools/call", {
      name: "observe",
      arguments: { what: "alerts" },
    });
    assert.match(result.content[0].text, /after-cancel/);
    assert.ok(!engine.messages.some((m) => m.id === "gone"));
  });
});

test("several listens at once are told apart by the type of their ids", async () => {
  await with_modern(async (engine) => {
    const listen = (id, uris) =>
      start(engine, id, "subscriptions/listen", { notifications: { resourceSubscriptions: uris } });
    const id_of = (m) => m.params?._meta?.[key("subscriptionId")];
    const about = (id, method) => (m) => m.method === `notifications/${method}` && id_of(m) === id;
    listen(5, ["gasoline://errors"]);
    listen("5", ["gasoline://ci"]);
    for (const id of [5, "5"]) await engine.message(about(id, "subscriptions/acknowledged"));
    await engine.post("/logs", exception(`Error: listened ${word(1)}`));
    const errors = await engine.message(about(5, "resources/updated"));
    assert.equal(errors.params.uri, "gasoline://errors");
    await engine.post("/ci-result", ci_failure());
    const ci = await engine.message(about("5", "resources/updated"));
    assert.equal(ci.params.uri, "gasoline://ci");

    engine.notify("notifications/cancelled", { requestId: 5 });
    await ask(engine, "tools/list");
    const from = engine.messages.length;
    await engine.post("/logs", exception(`Error: not listened ${word(2)}`));
    await sleep(3000); // longer than changes are collected
    assert.ok(!engine.messages.slice(from).some((m) => id_of(m) === 5));
    assert.ok(
      !engine.messages.some((m) => m.id === 5),
      "no result for a listen that was cancelled",
    );
  });
});

test("many waiting calls on one connection are each answered", async () => {
  await with_modern(async (engine) => {
    const ids = Array.from({ length: 50 }, (_, i) => `wait ${i}`);
    for (const id of ids) start(engine, id, "tools/call", wait_for_alert);
    await ask(engine, "tools/list");
    await engine.post("/ci-result", ci_failure({ source: "for-everyone" }));
    await wait_until(
      () =>
        engine.messages.some((m) => ids.includes(m.id) && /for-everyone/.test(JSON.stringify(m))),
      () => "nobody was told",
    );
    for (const id of ids.slice(1)) engine.notify("notifications/cancelled", { requestId: id });
    assert.ok((await ask(engine, "tools/list")).result);
  });
});
