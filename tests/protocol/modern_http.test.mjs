// 2026-07-28 over HTTP: no sessions, claims in every request, and headers that agree with them.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

import { many_calls, start_daemon } from "./support/daemon.mjs";
import { open_stream } from "./support/event_stream.mjs";
import {
  assert_rpc_error,
  modern,
  modern_meta,
  modern_request,
  notification_of,
  open_modern,
  post_mcp,
  post_modern,
} from "./support/mcp_http.mjs";
import { ci_failure, exception, word } from "./support/samples.mjs";

const key = (name) => `io.modelcontextprotocol/${name}`;

let engine;
let port;

before(async () => {
  engine = start_daemon({ config: many_calls, args: ["--conformance-fixtures"] });
  port = await engine.port();
});
after(() => engine.stop());

// Sends a request with one header changed; undefined leaves it out.
const with_header = (method, params, changed, options) => {
  const { body, headers } = modern_request(method, params, options);
  const all = { ...headers, ...changed };
  return post_mcp(
    port,
    body,
    Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)),
  );
};

test("server/discover tells versions, capabilities, and how long that holds", async () => {
  const { status, response, headers } = await post_modern(port, "server/discover");
  assert.equal(status, 200);
  assert.equal(headers["mcp-session-id"], undefined);
  const { result } = response;
  assert.equal(result.resultType, "complete");
  assert.deepEqual(result.supportedVersions, [modern]);
  assert.ok(Number.isInteger(result.ttlMs) && result.ttlMs >= 0);
  assert.match(result.cacheScope, /^(public|private)$/);
  assert.equal(result._meta[key("serverInfo")].name, "gasoline");
  for (const name of ["tools", "resources", "prompts", "completions"])
    assert.ok(result.capabilities[name], name);
});

test("every result is stamped; lists and reads say how long they hold", async () => {
  const cached = [
    ["tools/list", {}],
    ["resources/list", {}],
    ["resources/templates/list", {}],
    ["prompts/list", {}],
    ["resources/read", { uri: "gasoline://guide" }],
  ];
  const others = [
    ["tools/call", { name: "observe", arguments: { what: "errors" } }],
    ["tools/call", { name: "observe", arguments: { what: "nonsense" } }],
    ["prompts/get", { name: "triage" }],
    [
      "completion/complete",
      { ref: { type: "ref/prompt", name: "explain_alert" }, argument: { name: "id", value: "" } },
    ],
  ];
  for (const [method, params] of [...cached, ...others]) {
    const { status, response, text } = await post_modern(port, method, params);
    assert.equal(status, 200, text);
    assert.equal(response.result.resultType, "complete", method);
    assert.equal(response.result._meta[key("serverInfo")].name, "gasoline");
    const holds = "ttlMs" in response.result && "cacheScope" in response.result;
    assert.equal(
      holds,
      cached.some(([name]) => name === method),
      method,
    );
  }
});

test("claims that are missing or malformed are -32602, before any header is looked at", async () => {
  for (const break_it of [
    (meta) => delete meta[key("clientCapabilities")],
    (meta) => (meta[key("clientCapabilities")] = []),
    (meta) => (meta[key("clientCapabilities")] = "all"),
    (meta) => (meta[key("protocolVersion")] = 5),
  ]) {
    const { body, headers } = modern_request("tools/list", {}, { id: "kept" });
    break_it(body.params._meta);
    assert_rpc_error(await post_mcp(port, body, { ...headers }), 400, -32602, "kept");
  }
});

test("a log level that does not exist is -32602", async () => {
  const { response } = await post_modern(port, "tools/list", {}, { id: "l", log_level: "loud" });
  assert.equal(response.error.code, -32602);
  assert.match(response.error.message, /debug.*emergency/);
});

test("headers that are missing or disagree are -32020", async () => {
  const call = { name: "observe", arguments: { what: "errors" } };
  for (const changed of [
    { "mcp-protocol-version": undefined },
    { "mcp-protocol-version": "2025-11-25" },
    { "mcp-method": undefined },
    { "mcp-method": "tools/list" },
    { "mcp-method": "Tools/Call" },
    { "mcp-name": undefined },
    { "mcp-name": "configure" },
    { "mcp-name": "OBSERVE" },
    { "mcp-name": "=?base64?Y29uZmlndXJl?=" },
    { "mcp-name": "=?base64?not base64?=" },
  ])
    assert_rpc_error(await with_header("tools/call", call, changed, { id: "h" }), 400, -32020, "h");
  for (const changed of [
    { "mcp-name": "  observe\t" },
    { "mcp-name": "=?base64?b2JzZXJ2ZQ==?=" },
    { "mcp-session-id": "a stray one" },
    { "last-event-id": "a stray one" },
  ])
    assert.equal((await with_header("tools/call", call, changed)).status, 200);
});

test("an unknown version is -32022 and says what there is", async () => {
  for (const version of ["v999.0.0", "2025-11-25", "2024-11-05"]) {
    const answer = await post_modern(port, "tools/list", {}, { version, id: 3 });
    assert_rpc_error(answer, 400, -32022, 3);
    assert.deepEqual(answer.response.error.data, { supported: [modern], requested: version });
  }
});

test("methods that are unknown or gone are 404 with -32601", async () => {
  for (const method of [
    "nope",
    "initialize",
    "ping",
    "logging/setLevel",
    "resources/subscribe",
    "resources/unsubscribe",
  ])
    assert_rpc_error(await post_modern(port, method, {}, { id: "m" }), 404, -32601, "m");
});

test("the order of the checks: claims, version header, version, name, method", async () => {
  const { body, headers } = modern_request("nope", {}, { version: "v9", id: 1 });
  delete body.params._meta[key("clientCapabilities")];
  const worst = { ...headers, "mcp-protocol-version": "v8", "mcp-method": "other" };
  assert_rpc_error(await post_mcp(port, body, worst), 400, -32602);
  body.params._meta = modern_meta({ version: "v9" });
  assert_rpc_error(await post_mcp(port, body, worst), 400, -32020);
  assert_rpc_error(
    await post_mcp(port, body, { ...worst, "mcp-protocol-version": "v9" }),
    400,
    -32022,
  );
  body.params._meta = modern_meta();
  const known = { ...worst, "mcp-protocol-version": modern };
  assert_rpc_error(await post_mcp(port, body, known), 400, -32020);
  assert_rpc_error(await post_mcp(port, body, { ...known, "mcp-method": "nope" }), 404, -32601);
});

test("GET and DELETE are 405, notifications 202, batches and responses 400", async () => {
  for (const method of ["GET", "DELETE"]) {
    const stream = await open_stream(port, {
      method,
      headers: { accept: "text/event-stream", "mcp-protocol-version": modern },
    });
    assert.equal(stream.status, 405);
    stream.drop();
  }
  const headers = { "mcp-protocol-version": modern, "mcp-method": "notifications/cancelled" };
  const noted = await post_mcp(
    port,
    notification_of("notifications/cancelled", { requestId: "unknown" }),
    headers,
  );
  assert.equal(noted.status, 202);
  assert.equal(noted.text, "");
  const { body } = modern_request("tools/list");
  assert.equal((await post_mcp(port, [body], headers)).status, 400);
  assert.equal((await post_mcp(port, { jsonrpc: "2.0", id: 1, result: {} }, headers)).status, 400);
});

test("an unknown resource is -32602 with its uri, an unknown tool -32602", async () => {
  const uri = "gasoline://nowhere";
  const read = await post_modern(port, "resources/read", { uri }, { id: "r" });
  assert.equal(read.response.error.code, -32602);
  assert.equal(read.response.error.data.uri, uri);
  const called = await post_modern(port, "tools/call", { name: "nope", arguments: {} });
  assert.equal(called.response.error.code, -32602);
});

test("a capability that was not declared is -32021 and named", async () => {
  const params = { name: "test_missing_capability", arguments: {} };
  const answer = await post_modern(port, "tools/call", params, { id: "c" });
  assert_rpc_error(answer, 400, -32021, "c");
  assert.ok("sampling" in answer.response.error.data.requiredCapabilities);
});

// Waiting calls

const wait = { name: "observe", arguments: { what: "alerts", wait_seconds: 50 } };
const about = (source) => (m) => JSON.stringify(m).includes(source);
const raise = async (source) => {
  assert.equal((await engine.post("/ci-result", ci_failure({ source }))).status, 200);
};

test("a waiting call with a log level streams alerts before its result; without, none", async () => {
  const loud = { name: "loud", log_level: "debug", token: 7 };
  const read = { name: "observe", arguments: { what: "alerts" } };
  for (const name of ["silent", "loud"]) await post_modern(port, "tools/call", read, { name });
  const [talking, silent] = [
    await open_modern(port, "tools/call", wait, loud),
    await open_modern(port, "tools/call", wait, { name: "silent" }),
  ];
  await talking.message((m) => m.method === "notifications/progress");
  await raise("modern-wait");
  await Promise.all([talking.ended(), silent.ended()]);
  const result = talking.messages.at(-1);
  assert.match(result.result.content[0].text, /modern-wait/);
  const notices = talking.messages.filter((m) => m.method === "notifications/message");
  assert.ok(notices.some(about("modern-wait")), talking.text);
  assert.ok(talking.messages.every((m) => m.params?.progressToken ?? 7 === 7));
  const told = silent.is_events ? silent.messages : [JSON.parse(silent.text)];
  assert.deepEqual(
    told.filter((m) => m.method),
    [],
  );
  assert.match(JSON.stringify(told.at(-1)), /modern-wait/);
});

test("closing the stream cancels: nothing is read for a client that left", async () => {
  const options = { name: "leaver" };
  await post_modern(
    port,
    "tools/call",
    { name: "observe", arguments: { what: "alerts" } },
    options,
  );
  const left = await open_modern(port, "tools/call", wait, { ...options, token: 1 });
  await left.message((m) => m.method === "notifications/progress");
  left.drop();
  await sleep(1000); // the server sees the close after what it is doing
  await raise("after-leaving");
  const { response } = await post_modern(
    port,
    "tools/call",
    { name: "observe", arguments: { what: "errors" } },
    options,
  );
  assert.match(JSON.stringify(response.result), /after-leaving/, "it is still unread");
});

test("enable tells that nothing can be pushed, and what to use instead", async () => {
  const { response } = await post_modern(port, "tools/call", {
    name: "configure",
    arguments: { action: "streaming", streaming_action: "enable" },
  });
  const document = JSON.parse(response.result.content[0].text);
  assert.equal(document.delivery.push, false);
  assert.match(document.delivery.use, /wait_seconds/);
});

// Listening

const listen = (notifications, options) =>
  open_modern(port, "subscriptions/listen", { notifications }, options);

for (const id of ["text id", 41])
  test(`listen: acknowledged first, updates carry its id ${JSON.stringify(id)}`, async () => {
    const uri = "gasoline://errors";
    const stream = await listen(
      { resourceSubscriptions: [uri, "gasoline://ci"], toolsListChanged: true },
      { id, name: "listener" },
    );
    assert.equal(stream.status, 200);
    assert.equal(stream.headers["x-accel-buffering"], "no");
    const first = await stream.message(() => true);
    assert.equal(first.method, "notifications/subscriptions/acknowledged");
    assert.strictEqual(first.params._meta[key("subscriptionId")], id);
    assert.ok(first.params.notifications.resourceSubscriptions.includes(uri));
    await engine.post(
      "/logs",
      exception(`Error: listened to ${word(typeof id === "number" ? 1 : 2)}`),
    );
    const updated = await stream.message((m) => m.method === "notifications/resources/updated");
    assert.equal(updated.params.uri, uri);
    assert.strictEqual(updated.params._meta[key("subscriptionId")], id);
    stream.drop();
  });

test("listen without notifications is -32602; unknown kinds are left out", async () => {
  const { response } = await post_modern(port, "subscriptions/listen", {}, { id: 1 });
  assert.equal(response.error.code, -32602);
  const stream = await listen({ resourceSubscriptions: ["gasoline://ci"], somethingElse: true });
  const { params } = await stream.message(() => true);
  assert.ok(!("somethingElse" in params.notifications));
  stream.drop();
});

test("listen ends with a result when the server ends", async () => {
  const other = start_daemon();
  const stream = await open_modern(
    await other.port(),
    "subscriptions/listen",
    { notifications: { resourceSubscriptions: ["gasoline://ci"] } },
    { id: "last" },
  );
  await stream.message(() => true);
  await other.stop();
  await stream.ended();
  const { id, result } = stream.messages.at(-1);
  assert.equal(id, "last");
  assert.equal(result.resultType, "complete");
  assert.equal(result._meta[key("subscriptionId")], "last");
});
