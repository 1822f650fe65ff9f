// HTTP+SSE of 2024-11-05: one stream for everything the server says, one POST per client message.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { wait_until } from "./support/deadline.mjs";
import { many_calls, start_daemon } from "./support/daemon.mjs";
import { open_stream } from "./support/event_stream.mjs";
import { initialize_of, notification_of, post_mcp, request_of } from "./support/mcp_http.mjs";
import { ci_failure, word } from "./support/samples.mjs";

const uuid =
  /^\/mcp\/messages\/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

let engine;
let port;

before(async () => {
  engine = start_daemon({ config: many_calls });
  port = await engine.port();
});
after(() => engine.stop());

// A client of this transport.
class sse_session {
  static async open({ shake_hands = true } = {}) {
    const session = new sse_session();
    session.stream = await open_stream(port, {
      path: "/mcp/sse",
      headers: { accept: "text/event-stream", connection: "keep-alive" },
    });
    const first = await session.stream.event(() => true);
    assert.equal(first.event, "endpoint");
    session.path = first.data;
    if (shake_hands) {
      await session.request(initialize_of("2024-11-05"));
      await session.post(notification_of("notifications/initialized"));
    }
    return session;
  }

  post(body, headers) {
    return post_mcp(port, body, { accept: "*/*", ...headers }, this.path);
  }

  async request(body) {
    const accepted = await this.post(body);
    assert.equal(accepted.status, 202, accepted.text);
    return this.stream.answer(body.id);
  }

  async configure(args) {
    const { result } = await this.request(
      request_of("tools/call", { name: "configure", arguments: args }),
    );
    return JSON.parse(result.content[0].text);
  }
}

const health = async () => (await engine.http({ path: "/health" })).json;

test("the stream opens with the headers of the specification and an endpoint of its own", async () => {
  const session = await sse_session.open();
  const { headers, status } = session.stream;
  assert.equal(status, 200);
  assert.match(headers["content-type"], /^text\/event-stream/);
  assert.match(headers["cache-control"], /no-cache/);
  assert.match(headers.connection, /keep-alive/i);
  assert.equal(headers["x-accel-buffering"], "no");
  assert.match(session.path, uuid);
  const others = await Promise.all(Array.from({ length: 20 }, () => sse_session.open()));
  assert.equal(new Set([session, ...others].map(({ path }) => path)).size, 21);
  for (const { stream } of [session, ...others]) stream.drop();
});

test("answers come as message events on the stream, never in the POST", async () => {
  const session = await sse_session.open({ shake_hands: false });
  const initialize = initialize_of("2024-11-05");
  const { result } = await session.request(initialize);
  assert.equal(result.protocolVersion, "2024-11-05");
  const accepted = await session.post(request_of("ping", undefined, "p"));
  assert.equal(accepted.status, 202);
  assert.deepEqual(accepted.messages, []);
  assert.deepEqual((await session.stream.answer("p")).result, {});
  assert.ok(session.stream.events.slice(1).every(({ event }) => event === "message"));
  const { result: listed } = await session.request(request_of("tools/list"));
  assert.ok(listed.tools.length > 0);
  const { error } = await session.request(request_of("nope", {}, "unknown"));
  assert.equal(error.code, -32601);
  session.stream.drop();
});

test("alerts are pushed on the stream of the client that asked", async () => {
  const [asking, other] = [await sse_session.open(), await sse_session.open()];
  await asking.configure({
    action: "streaming",
    streaming_action: "enable",
    events: ["all"],
    throttle_seconds: 1,
  });
  assert.equal((await engine.post("/ci-result", ci_failure({ source: "sse-push" }))).status, 200);
  const told = await asking.stream.message((m) => m.method === "notifications/message");
  assert.match(JSON.stringify(told.params.data), /sse-push/);
  await other.request(request_of("ping"));
  assert.ok(!other.stream.messages.some((m) => "method" in m));
  asking.stream.drop();
  other.stream.drop();
});

test("unknown sessions are 404, bad bodies 400 with the id, other methods 405", async () => {
  const session = await sse_session.open();
  const nobody = "/mcp/messages/00000000-0000-4000-8000-000000000000";
  for (const path of [nobody, "/mcp/messages/", "/mcp/messages/nope", `${session.path}/more`])
    assert.equal((await post_mcp(port, request_of("ping"), {}, path)).status, 404, path);
  for (const [body, code, id] of [
    ["{", -32700, null],
    ["5", -32600, null],
    ['{"jsonrpc":"2.0","id":"kept","method":5}', -32600, "kept"],
  ]) {
    const answer = await session.post(body);
    assert.equal(answer.status, 400, body);
    assert.equal(answer.response.error.code, code);
    assert.deepEqual(answer.response.id, id);
  }
  for (const [method, path] of [
    ["POST", "/mcp/sse"],
    ["GET", session.path],
    ["DELETE", session.path],
  ]) {
    const answer = await open_stream(port, {
      method,
      path,
      body: method === "POST" ? {} : undefined,
    });
    assert.equal(answer.status, 405, `${method} ${path}`);
    answer.drop();
  }
  assert.deepEqual((await session.request(request_of("ping"))).result, {});
  session.stream.drop();
});

test("a stream that is dropped ends its session at once", async () => {
  const before = (await health()).clients.length;
  const session = await sse_session.open();
  assert.equal((await health()).clients.length, before + 1);
  session.stream.drop();
  await wait_until(
    async () => (await post_mcp(port, request_of("ping"), {}, session.path)).status === 404,
    () => "the session lives on",
  );
  await wait_until(
    async () => (await health()).clients.length <= before,
    () => "the client is still in health",
    { every: 50 },
  );
});

test("a session that nobody uses is ended when its idle time is over", async () => {
  const short = start_daemon({ config: { limits: { mcp_session_idle_ms: 1000 } } });
  const stream = await open_stream(await short.port(), { path: "/mcp/sse" });
  await stream.event(({ event }) => event === "endpoint");
  await stream.ended();
  await short.stop();
});

test("half a handshake, half a body, a stream dropped under a call: the server lives on", async () => {
  for (let i = 0; i < 30; ++i) {
    const session = await sse_session.open({ shake_hands: i % 2 === 0 });
    await session.post(
      request_of("tools/call", {
        name: "observe",
        arguments: { what: "alerts", wait_seconds: 50 },
      }),
    );
    if (i % 3 === 0)
      await session.post(notification_of("notifications/cancelled", { requestId: word(i) }));
    session.stream.drop();
  }
  const session = await sse_session.open();
  assert.deepEqual((await session.request(request_of("ping"))).result, {});
  session.stream.drop();
});
