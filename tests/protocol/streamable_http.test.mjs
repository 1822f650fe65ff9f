// Streamable HTTP of the revisions with sessions: statuses, the life of a session, and what each
// POST is answered with.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { many_calls, start_daemon } from "./support/daemon.mjs";
import { open_stream } from "./support/event_stream.mjs";
import {
  accept_both,
  assert_rpc_error,
  http_session,
  initialize_of,
  latest,
  notification_of,
  post_mcp,
  request_of,
} from "./support/mcp_http.mjs";

const revisions = ["2025-03-26", "2025-06-18", "2025-11-25"];
const ping = (id) => request_of("ping", undefined, id);

let engine;
let port;

before(async () => {
  engine = start_daemon({ config: many_calls });
  port = await engine.port();
});
after(() => engine.stop());

const plain = async (options) => {
  const stream = await open_stream(port, options);
  await stream.ended();
  return stream;
};

for (const version of revisions)
  test(`${version}: initialize opens a session, requests are answered, DELETE ends it`, async () => {
    const session = await http_session.open(port, { version });
    assert.equal(session.initialized.result.protocolVersion, version);
    assert.equal(session.initialized.result.serverInfo.name, "gasoline");
    for (const id of ["text", 7, 0, -1, ""]) {
      const answer = await session.post(ping(id));
      assert.equal(answer.status, 200);
      assert.deepEqual(answer.messages, [{ jsonrpc: "2.0", id, result: {} }]);
    }
    const { response } = await session.request("tools/list");
    assert.ok(response.result.tools.length > 0);
    assert.ok(JSON.stringify(response).length <= 12_288);
    const ended = await session.end();
    assert.ok(ended.status >= 200 && ended.status < 300, `${ended.status}`);
    assert.equal((await session.post(ping())).status, 404);
    assert.equal((await session.listen()).status, 404);
    assert.equal((await session.end()).status, 404);
  });

test("session ids are long and never repeat", async () => {
  const ids = new Set();
  for (let i = 0; i < 50; ++i) ids.add((await http_session.open(port)).id);
  assert.equal(ids.size, 50);
  for (const id of ids) assert.ok(id.length >= 32, id);
});

test("an unknown revision is answered with the newest legacy one", async () => {
  for (const version of ["2026-07-28", "2099-01-01", "1.0"]) {
    const { response } = await post_mcp(port, initialize_of(version));
    assert.equal(response.result.protocolVersion, latest);
  }
});

test("notifications and responses alone are 202 with an empty body", async () => {
  const session = await http_session.open(port);
  for (const body of [
    notification_of("notifications/roots/list_changed"),
    notification_of("notifications/cancelled", { requestId: "never seen" }),
    notification_of("notifications/of/nobody"),
    { jsonrpc: "2.0", id: 99, result: {} },
    { jsonrpc: "2.0", id: "x", error: { code: -1, message: "no" } },
  ]) {
    const answer = await session.post(body);
    assert.equal(answer.status, 202, `${JSON.stringify(body)} ${answer.text}`);
    assert.equal(answer.text, "");
  }
});

test("no session id is 400, an unknown one 404; both name an error", async () => {
  for (const body of [ping("a"), request_of("tools/list", {}, "a")]) {
    assert_rpc_error(
      await post_mcp(port, body, { "mcp-protocol-version": latest }),
      400,
      -32600,
      "a",
    );
    for (const id of ["nope", "a".repeat(4000), "00000000-0000-4000-8000-000000000000"]) {
      const answer = await post_mcp(port, body, { "mcp-session-id": id });
      assert.equal(answer.status, 404, answer.text);
      assert.ok(answer.response.error.message.length > 10);
    }
  }
  for (const method of ["GET", "DELETE"]) {
    const accept = "text/event-stream";
    assert.equal((await plain({ method, headers: { accept } })).status, 400);
    const unknown = { accept, "mcp-session-id": "nope" };
    assert.equal((await plain({ method, headers: unknown })).status, 404);
  }
});

test("the session of a former run is 404, then a fresh initialize works", async () => {
  const first = start_daemon();
  const session = await http_session.open(await first.port());
  await first.stop();
  const second = start_daemon();
  const other_port = await second.port();
  const stale = await post_mcp(other_port, ping(), session.headers);
  assert.equal(stale.status, 404);
  const fresh = await http_session.open(other_port);
  assert.deepEqual((await fresh.request("ping")).response.result, {});
  await second.stop();
});

test("an unsupported version header is 400, every supported one passes, none is 2025-03-26", async () => {
  const session = await http_session.open(port);
  for (const version of ["2099-01-01", "nonsense", "2024-10-07"]) {
    const answer = await session.post(ping(), { "mcp-protocol-version": version });
    assert.equal(answer.status, 400, version);
    assert.match(answer.response.error.message, /2025-11-25/);
  }
  for (const version of revisions)
    assert.equal((await session.post(ping(), { "mcp-protocol-version": version })).status, 200);
  const { id } = session;
  assert.equal((await post_mcp(port, ping(), { "mcp-session-id": id })).status, 200);
});

test("Accept: POST needs both types, GET an event stream, else 406", async () => {
  const session = await http_session.open(port);
  for (const accept of ["application/json", "text/event-stream", "text/html", "image/*"])
    assert.equal((await session.post(ping(), { accept })).status, 406, accept);
  for (const accept of [
    accept_both,
    "text/event-stream,application/json;q=0.5",
    "Application/JSON, Text/Event-Stream",
    "*/*",
    "application/*, text/*",
  ])
    assert.equal((await session.post(ping(), { accept })).status, 200, accept);
  for (const accept of ["application/json", "text/html"])
    assert.equal((await plain({ headers: { ...session.headers, accept } })).status, 406, accept);
});

test("Content-Type: JSON with any parameter passes, else 415", async () => {
  const session = await http_session.open(port);
  for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/jsonx"])
    assert.equal((await session.post(ping(), { "content-type": type })).status, 415, type);
  for (const type of ["application/json; charset=utf-8", "APPLICATION/JSON"])
    assert.equal((await session.post(ping(), { "content-type": type })).status, 200, type);
});

test("other methods are 405 with Allow", async () => {
  for (const method of ["PUT", "PATCH"]) {
    const answer = await plain({ method, body: ping() });
    assert.equal(answer.status, 405);
    for (const allowed of ["GET", "POST", "DELETE"])
      assert.ok(answer.headers.allow.includes(allowed), answer.headers.allow);
  }
});

test("what is no JSON is -32700, what is no message -32600, both 400", async () => {
  const session = await http_session.open(port);
  for (const body of ["", "{", "nope", '{"jsonrpc":"2.0","id":1,"method":"ping"}}'])
    assert_rpc_error(await session.post(body), 400, -32700);
  for (const [body, id] of [
    ["5", null],
    ['"text"', null],
    ["[]", null],
    ["{}", null],
    ['{"jsonrpc":"1.0","id":"kept","method":"ping"}', "kept"],
    ['{"jsonrpc":"2.0","id":17,"method":5}', 17],
    ['{"jsonrpc":"2.0","id":17,"method":"ping","params":5}', 17],
    ['{"id":"kept","method":"ping"}', "kept"],
  ]) {
    const answer = await session.post(body);
    assert.equal(answer.status, 400, `${body} ${answer.text}`);
    assert.equal(answer.response.error.code, -32600, body);
    assert.deepEqual(answer.response.id, id, body);
  }
  assert.deepEqual((await session.request("ping")).response.result, {});
});

test("unknown methods are -32601 with status 200 and the id", async () => {
  const session = await http_session.open(port);
  for (const method of ["nope", "server/discover/x", "tools/nope"])
    assert_rpc_error(await session.request(method, {}, "m"), 200, -32601, "m");
});

test("batches: an array of answers in 2025-03-26, 400 elsewhere", async () => {
  const batch = [ping("a"), notification_of("notifications/roots/list_changed"), ping("b")];
  const old = await http_session.open(port, { version: "2025-03-26" });
  const stream = await old.open(batch);
  await stream.ended();
  assert.equal(stream.status, 200);
  const told = stream.is_events
    ? stream.events.flatMap(({ data }) => (data ? [JSON.parse(data)].flat() : []))
    : JSON.parse(stream.text);
  assert.deepEqual(told.map(({ id }) => id).toSorted(), ["a", "b"]);
  const silent = await old.post([batch[1]]);
  assert.equal(silent.status, 202);
  for (const version of ["2025-06-18", "2025-11-25"]) {
    const session = await http_session.open(port, { version });
    assert_rpc_error(await session.post(batch), 400, -32600);
  }
  const inside = await post_mcp(port, [initialize_of("2025-03-26")]);
  assert.equal(inside.status, 400);
  assert.equal(inside.headers["mcp-session-id"], undefined);
});

test("the same id in flight in two sessions: each gets its own answer", async () => {
  const sessions = await Promise.all([http_session.open(port), http_session.open(port)]);
  const waits = sessions.map((session) =>
    session.open(
      request_of(
        "tools/call",
        {
          name: "observe",
          arguments: { what: "alerts", wait_seconds: 30 },
        },
        "same",
      ),
    ),
  );
  const streams = await Promise.all(waits);
  await sessions[0].post(notification_of("notifications/cancelled", { requestId: "same" }));
  await streams[0].ended();
  assert.deepEqual(
    streams[0].messages.filter((m) => "id" in m),
    [],
  );
  const raised = await engine.post("/ci-result", {
    status: "failure",
    source: "same-id",
    commit: "s1",
  });
  assert.equal(raised.status, 200);
  const { result } = await streams[1].answer("same");
  assert.match(result.content[0].text, /same-id/);
  await streams[1].ended();
});

test("X-Gasoline-Client without session: stateless, and initialized is answered {}", async () => {
  const headers = { "x-gasoline-client": "bridge-one", accept: "application/json" };
  const listed = await post_mcp(port, request_of("tools/list", {}, 5), headers);
  assert.equal(listed.status, 200, listed.text);
  assert.ok(listed.response.result.tools.length > 0);
  const noted = await post_mcp(port, notification_of("notifications/initialized"), headers);
  assert.equal(noted.status, 200);
  assert.deepEqual(JSON.parse(noted.text).result ?? JSON.parse(noted.text), {});
  assert.equal(noted.headers["mcp-session-id"], undefined);
});
