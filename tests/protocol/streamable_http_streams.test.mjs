// The event streams of Streamable HTTP: priming, resumption, takeover, comments, and clients that
// go away in the middle.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { bound, wait_until } from "./support/deadline.mjs";
import { many_calls, start_daemon } from "./support/daemon.mjs";
import { http_session, notification_of, request_of } from "./support/mcp_http.mjs";
import { ci_failure, word } from "./support/samples.mjs";

let engine;
let port;
let serial = 0;

before(async () => {
  engine = start_daemon({ config: many_calls, args: ["--conformance-fixtures"] });
  port = await engine.port();
});
after(() => engine.stop());

const raise = async (source) => {
  const answer = await engine.post("/ci-result", ci_failure({ source }));
  assert.equal(answer.status, 200);
  return source;
};
const fresh_source = () => `stream-${word((serial += 1))}`;

const wait_for_alert = (seconds, token) =>
  request_of("tools/call", {
    name: "observe",
    arguments: { what: "alerts", wait_seconds: seconds },
    ...(token !== undefined && { _meta: { progressToken: token } }),
  });

const enable = (session) =>
  session.configure({
    action: "streaming",
    streaming_action: "enable",
    events: ["all"],
    throttle_seconds: 1,
  });

const is_notice = (m) => m.method === "notifications/message";
const about = (source) => (m) => is_notice(m) && JSON.stringify(m.params).includes(source);
const ids_of = (stream) => stream.events.flatMap(({ id }) => (id ? [id] : []));

// What all alerts so far are to a session: read.
const read_all = (session) => session.call("observe", { what: "alerts" });

test("a GET stream: headers, priming event with a retry, then what is unsolicited", async () => {
  const session = await http_session.open(port);
  const stream = await session.listen();
  assert.equal(stream.status, 200);
  assert.match(stream.headers["content-type"], /^text\/event-stream/);
  assert.match(stream.headers["cache-control"], /no-cache/);
  const primed = await stream.event(({ id }) => id);
  assert.equal(primed.data ?? "", "");
  assert.match((await stream.event(({ retry }) => retry)).retry, /^\d+$/);
  await enable(session);
  const source = await raise(fresh_source());
  await stream.message(about(source));
  assert.equal(new Set(ids_of(stream)).size, ids_of(stream).length, "event ids repeat");
  assert.ok(!stream.messages.some((m) => "id" in m), "responses travel on the stream of the POST");
  await session.end();
  await stream.ended();
});

test("a waiting call streams: primed, progress grows, the result is last", async () => {
  const session = await http_session.open(port);
  await read_all(session);
  const call = wait_for_alert(50, "token");
  const stream = await session.open(call);
  assert.ok(stream.is_events);
  const primed = await stream.event(() => true);
  assert.ok(primed.id && !primed.data, JSON.stringify(primed));
  await stream.message((m) => m.method === "notifications/progress" && m.params.progress > 0);
  const source = await raise(fresh_source());
  const { result } = await stream.answer(call.id);
  await stream.ended();
  assert.match(result.content[0].text, new RegExp(source));
  const progress = stream.messages.filter((m) => m.method === "notifications/progress");
  assert.ok(progress.every(({ params }) => params.progressToken === "token"));
  const steps = progress.map(({ params }) => params.progress);
  assert.deepEqual(
    steps,
    [...new Set(steps)].toSorted((a, b) => a - b),
    "progress has to grow",
  );
  assert.equal(stream.messages.at(-1).id, call.id);
});

test("a waiting call without token gets no progress, and ends empty at its limit", async () => {
  const session = await http_session.open(port);
  await read_all(session);
  const started = performance.now();
  const call = wait_for_alert(2);
  const stream = await session.open(call);
  const { result } = await stream.answer(call.id);
  await stream.ended();
  assert.ok(performance.now() - started > 1900, "it has to wait");
  assert.ok(!result.isError);
  assert.deepEqual(
    stream.messages.map((m) => m.id),
    [call.id],
  );
});

test("what is unread already is told at once, however long the wait may be", async () => {
  const session = await http_session.open(port);
  await read_all(session);
  const source = await raise(fresh_source());
  const started = performance.now();
  const { response } = await session.post(wait_for_alert(50));
  assert.match(response.result.content[0].text, new RegExp(source));
  assert.ok(performance.now() - started < bound(1000));
});

test("a dropped GET is resumed by its last event id: nothing lost, nothing twice", async () => {
  const session = await http_session.open(port);
  await enable(session);
  const first = await session.listen();
  const before_drop = await raise(fresh_source());
  await first.message(about(before_drop));
  const last_event_id = ids_of(first).at(-1);
  first.drop();
  const while_away = await raise(fresh_source());
  // It is told into the store when its batch window has passed.
  await wait_until(
    async () =>
      (await session.configure({ action: "streaming", streaming_action: "status" })).pending === 0,
    () => "still pending",
    { every: 250 },
  );
  const second = await session.listen({ "last-event-id": last_event_id });
  assert.equal(second.status, 200);
  await second.message(about(while_away));
  assert.ok(!second.messages.some(about(before_drop)), "told twice");
  const after_resume = await raise(fresh_source());
  await second.message(about(after_resume));
  second.drop();
});

test("a dropped POST goes on; its result is fetched by GET, and only its own", async () => {
  const session = await http_session.open(port);
  await read_all(session);
  await enable(session);
  const call = wait_for_alert(50);
  const dropped = await session.open(call);
  const { id } = await dropped.event((event) => event.id);
  dropped.drop();
  const source = await raise(fresh_source());
  const resumed = await session.listen({ "last-event-id": id });
  assert.equal(resumed.status, 200);
  const { result } = await resumed.answer(call.id);
  assert.match(result.content[0].text, new RegExp(source));
  await resumed.ended();
  assert.deepEqual(resumed.messages.filter(is_notice), [], "a message of another stream");
});

test("the server may end a stream early; the result comes after a GET", async () => {
  const session = await http_session.open(port);
  const call = request_of("tools/call", { name: "test_reconnection", arguments: {} });
  const stream = await session.open(call);
  const primed = await stream.event(({ id }) => id);
  await stream.ended();
  assert.ok(!stream.messages.some((m) => m.id === call.id));
  assert.ok(
    stream.events.some(({ retry }) => /^\d+$/.test(retry ?? "")),
    "no retry before the end",
  );
  const resumed = await session.listen({ "last-event-id": primed.id });
  assert.ok((await resumed.answer(call.id)).result);
  await resumed.ended();
});

test("a new GET takes over: the old stream ends, the new one is told", async () => {
  const session = await http_session.open(port);
  await enable(session);
  const first = await session.listen();
  const second = await session.listen();
  assert.equal(second.status, 200);
  await first.ended();
  const source = await raise(fresh_source());
  await second.message(about(source));
  assert.ok(!first.messages.some(about(source)));
  second.drop();
});

test("forged, huge, negative and foreign event ids replay nothing of others", async () => {
  const victim = await http_session.open(port);
  await enable(victim);
  const seen = await victim.listen();
  const secret = await raise(fresh_source());
  await seen.message(about(secret));
  const session = await http_session.open(port);
  for (const id of [
    ...ids_of(seen),
    "-1",
    "0",
    "99999999999999999999999999",
    "1".repeat(8000),
    "%00",
    "../../etc/passwd",
    `${victim.id}`,
  ]) {
    const stream = await session.listen({ "last-event-id": id });
    assert.ok([200, 400, 404].includes(stream.status), `${stream.status} for ${id.slice(0, 40)}`);
    await session.request("ping");
    assert.ok(!stream.text.includes(secret), `${id.slice(0, 40)} shows another client's events`);
    stream.drop();
  }
  assert.deepEqual((await session.request("ping")).response.result, {});
  seen.drop();
});

test("more than the store holds: the oldest are gone, the session lives", async () => {
  const session = await http_session.open(port);
  const stream = await session.listen();
  const { id } = await stream.event((event) => event.id);
  stream.drop();
  for (let i = 0; i < 300; ++i)
    await session.call("test_tool_with_logging", {}).catch(() => undefined);
  const resumed = await session.listen({ "last-event-id": id });
  assert.ok([200, 400, 404].includes(resumed.status));
  resumed.drop();
  assert.deepEqual((await session.request("ping")).response.result, {});
});

test("idle streams carry a comment at least every 15 s", async () => {
  const session = await http_session.open(port);
  const [listening, waiting] = await Promise.all([
    session.listen(),
    read_all(session).then(() => session.open(wait_for_alert(40))),
  ]);
  const opened = performance.now();
  for (const stream of [listening, waiting]) {
    const { at } = await stream.comment(1, 60_000);
    assert.ok(at - opened < bound(15_000), `first after ${at - opened} ms`);
  }
  listening.drop();
  waiting.drop();
});

test("sockets that close in every phase leave a server that answers", async () => {
  const session = await http_session.open(port);
  for (let round = 0; round < 30; ++round) {
    const streams = await Promise.all([
      session.listen(),
      session.open(wait_for_alert(50)),
      session.open(request_of("tools/list")),
    ]);
    for (const stream of streams) stream.drop();
    await session.post(notification_of("notifications/cancelled", { requestId: "unknown" }));
  }
  assert.deepEqual((await session.request("ping")).response.result, {});
  await session.end();
});
