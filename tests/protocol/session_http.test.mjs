// A session over plain HTTP: its events as an event stream, turns that are cancelled, repeated,
// queued and interrupted; what is refused, and what is promised to whom.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";

import { EventSource } from "eventsource";

import { start_daemon, with_daemon } from "./support/daemon.mjs";
import { open_stream } from "./support/event_stream.mjs";
import {
  attach,
  connect,
  create_session,
  script_of,
  session_request,
  spoken,
  submit,
  watch,
} from "./support/session_client.mjs";

let engine;
let port;

before(async () => {
  engine = start_daemon();
  port = await engine.port();
});
after(() => engine.stop());

const send = (method, suffix, body, headers) =>
  session_request(port, method, suffix, body, headers);

const listen = (id, query = "", headers = {}) =>
  open_stream(port, { path: `/sessions/${id}/events${query}`, headers });

const events_of = (stream) =>
  stream.messages.filter(({ type }) => type === "event").map(({ event }) => event);

const endless = script_of(spoken(["begun"]).concat(spoken(["never"], 600_000)));
const short = script_of(...Array.from({ length: 20 }, () => spoken(["said"])));

test("events as an event stream, with ids to come back with", async () => {
  const id = await create_session(port, { script: short });
  const stream = await listen(id, "?snapshot=true");
  assert.equal(stream.status, 200);
  await stream.event(({ message }) => message?.type === "snapshot");
  await submit(port, id);
  await stream.event(({ message }) => message?.event?.type === "turn.completed");
  const first = events_of(stream);
  for (const { id: field, message } of stream.events)
    assert.equal(field, message.type === "event" ? message.event.id : undefined);
  stream.drop();
  const middle = first[Math.floor(first.length / 2)].id;
  const again = await listen(id, "", { "last-event-id": middle });
  await again.event(({ message }) => message?.event?.type === "turn.completed");
  // Deltas are told again by the end of their message, so of the types only those that are stored.
  const stored = (list) =>
    list.map(({ id: event_id }) => event_id).filter((event_id) => event_id > middle);
  const repeated = new Set(stored(events_of(again)));
  for (const event of first.filter(({ id: event_id, type }) => event_id > middle && !/delta/.test(type)))
    assert.ok(repeated.has(event.id), `${event.type} is missing`);
  again.drop();
});

// A page has `EventSource` and no headers: key or token stand in the address, and it comes back by itself.
test("EventSource alone follows a session that wants a key or the token", async () => {
  const owner = readFileSync(path.join(engine.state_dir, "token"), "utf8").trim();
  const answer = await send(
    "POST",
    "",
    { workspace_path: "/tmp", tools: ["read_file"], script: script_of([{ text: "Hello." }]) },
    { authorization: `Bearer ${owner}` },
  );
  assert.equal(answer.status, 201, answer.text);
  const { session_id: id, session_key: key } = answer.json;
  const address = (query) => `http://127.0.0.1:${port}/sessions/${id}/events?snapshot=true${query}`;
  const outcome = (query) =>
    new Promise((done) => {
      const source = new EventSource(address(query));
      source.onmessage = ({ data }) => {
        const { type } = JSON.parse(data);
        if (type === "subscribe_ack") return;
        source.close();
        done(type);
      };
      source.onerror = ({ code }) => {
        source.close();
        done(code);
      };
    });
  assert.equal(await outcome(`&token=${owner}`), "snapshot");
  assert.equal(await outcome(`&session_key=${encodeURIComponent(key)}`), "snapshot");
  assert.equal(await outcome(""), 401);
  assert.equal(await outcome("&token=wrong"), 401);
  assert.equal(await outcome("&session_key="), 401);
});

test("the same filters as over the WebSocket", async () => {
  const id = await create_session(port, { script: short });
  const ends = await listen(id, "?event_types=turn.started,turn.completed");
  const chat = await listen(id, "?filter=preset:chat");
  await submit(port, id);
  await ends.event(({ message }) => message?.event?.type === "turn.completed");
  await chat.event(({ message }) => message?.event?.type === "turn.completed");
  assert.deepEqual(
    events_of(ends).map(({ type }) => type),
    ["turn.started", "turn.completed"],
  );
  assert.ok(events_of(chat).some(({ type }) => type === "text.delta"));
  ends.drop();
  chat.drop();
  assert.equal((await send("GET", `/${id}/events?event_types=made.up`)).status, 400);
  assert.equal((await send("GET", `/${id}/events?filter=preset:none`)).status, 400);
  assert.equal((await send("GET", "/sess_none/events")).status, 404);
});

test("parameters as people write them; what cannot be meant is refused", async () => {
  const id = await create_session(port, { script: short });
  const acknowledged = async (query) => {
    const stream = await listen(id, query);
    const { message } = await stream.event(({ message: m }) => m?.type === "subscribe_ack");
    stream.drop();
    return message;
  };
  for (const yes of ["true", "TRUE", "1", "yes", ""])
    assert.equal((await acknowledged(`?snapshot=${yes}`)).snapshot, true, yes);
  for (const no of ["false", "0", "no"])
    assert.equal((await acknowledged(`?snapshot=${no}`)).snapshot, false, no);
  const listed = await acknowledged("?since=&event_types=text.delta,%20turn.started%20,");
  assert.equal(listed.since, null);
  assert.deepEqual(new Set(listed.resolved_filter.event_types), new Set(["text.delta", "turn.started"]));
  const workers = await acknowledged("?include_worker_sessions=1");
  assert.equal(workers.resolved_filter.include_worker_sessions, true);
  for (const [query, sentence] of [
    ["snapshot=maybe", /'snapshot' must be true or false/],
    ["include_worker_sessions=2", /'include_worker_sessions' must be true or false/],
    ["filter=preset:chat&event_types=text.delta", /either .*'event_types', not both/],
    ["filter=chat", /preset:chat/],
  ]) {
    const answer = await send("GET", `/${id}/events?${query}`);
    assert.equal(answer.status, 400, query);
    assert.match(answer.json.error.message, sentence);
  }
});

test("a cursor that is of no use is answered with a snapshot", async () => {
  const id = await create_session(port, { script: short });
  const stream = await listen(id, "", { "last-event-id": "evt_00000000000000000000000000" });
  await stream.event(({ message }) => message?.code === "cursor_expired");
  await stream.event(({ message }) => message?.type === "snapshot");
  await submit(port, id);
  await stream.event(({ message }) => message?.event?.type === "turn.completed");
  stream.drop();
});

test("a deleted session ends the event stream", async () => {
  const id = await create_session(port);
  const stream = await listen(id);
  assert.equal((await send("DELETE", `/${id}`)).status, 204);
  await stream.ended();
});

test("a turn is cancelled over HTTP; an unknown one is not found", async () => {
  const id = await create_session(port, { script: endless });
  const client = await watch(port, id);
  const turn = await submit(port, id);
  await client.event("text.delta");
  const cancelled = await send("POST", `/${id}/turns/${turn}/cancel`, { reason: "enough" });
  assert.equal(cancelled.status, 202, cancelled.text);
  assert.equal((await client.event("turn.cancelled")).payload.reason, "enough");
  const again = await send("POST", `/${id}/turns/${turn}/cancel`);
  assert.equal(again.status, 404);
  assert.equal(again.json.error.code, "turn_not_in_flight");
  client.cancel("turn_none");
  const told = await client.frame(({ type }) => type === "cancel_error");
  assert.equal(told.turn_id, "turn_none");
  assert.equal(told.code, "turn_not_in_flight");
  await client.close();
});

test("the same Idempotency-Key is the same turn, also after a restart", async () => {
  const state_dir = (await import("./support/engine.mjs")).temporary_directory();
  const key = { "idempotency-key": "k-1" };
  let id;
  let turn;
  await with_daemon(
    async (_, first_port) => {
      id = await create_session(first_port, { script: short });
      const client = await watch(first_port, id);
      const both = await Promise.all(
        [1, 2].map(() => session_request(first_port, "POST", `/${id}/turns`, { content: "a" }, key)),
      );
      assert.deepEqual(both.map(({ status }) => status), [202, 202]);
      turn = both[0].json.turn_id;
      assert.equal(both[1].json.turn_id, turn);
      await client.event("turn.completed");
      const other = await session_request(first_port, "POST", `/${id}/turns`, { content: "b" }, key);
      assert.equal(other.status, 409);
      assert.equal(other.json.error.code, "idempotency_key_reused");
      await client.close();
    },
    { state_dir },
  );
  await with_daemon(
    async (_, second_port) => {
      const again = await session_request(second_port, "POST", `/${id}/turns`, { content: "a" }, key);
      assert.equal(again.status, 202, again.text);
      assert.equal(again.json.turn_id, turn);
      const { turn_count } = await attach(second_port, id);
      assert.equal(turn_count, 1);
    },
    { state_dir },
  );
});

test("while a turn is in flight another is refused, waits, or takes its place", async () => {
  const script = script_of(
    spoken(["one"]).concat(spoken(["never"], 600_000)),
    spoken(["two"]),
    spoken(["three"]),
  );
  const id = await create_session(port, { script });
  const client = await watch(port, id);
  const first = await submit(port, id);
  await client.event("text.delta");
  const refused = await send("POST", `/${id}/turns`, { content: "x" });
  assert.equal(refused.status, 409);
  assert.equal(refused.json.error.turn_id, first);
  assert.equal((await send("POST", `/${id}/turns`, { content: "x", when_busy: "now" })).status, 400);
  const queued = await send("POST", `/${id}/turns`, { content: "later", when_busy: "queue" });
  assert.equal(queued.status, 202, queued.text);
  assert.equal(queued.json.queued, true);
  const gone = await send("POST", `/${id}/turns`, { content: "never", when_busy: "queue" });
  assert.equal((await send("POST", `/${id}/turns/${gone.json.turn_id}/cancel`)).status, 202);
  await client.event("turn.cancelled", ({ turn_id }) => turn_id === gone.json.turn_id);
  const { queued_turn_ids } = await attach(port, id);
  assert.deepEqual(queued_turn_ids, [queued.json.turn_id]);
  const urgent = await send("POST", `/${id}/turns`, { content: "now", when_busy: "interrupt" });
  assert.equal(urgent.status, 202, urgent.text);
  const cancelled = await client.event("turn.cancelled", ({ turn_id }) => turn_id === first);
  assert.equal(cancelled.payload.reason, "interrupted");
  await client.event("turn.completed", ({ turn_id }) => turn_id === queued.json.turn_id);
  const started = client.of_type("turn.started").map(({ turn_id }) => turn_id);
  assert.deepEqual(started, [first, urgent.json.turn_id, queued.json.turn_id]);
  assert.equal(client.of_type("turn.completed").length, 2);
  await client.close();
});

test("one that interrupts goes first, however many wait, and gives way to the next that does", async () => {
  const id = await create_session(port, {
    // The others take their time, or one of them could be over before the next request is there.
    script: script_of(spoken(["one"]).concat(spoken(["never"], 600_000)), ...Array(20).fill(spoken(["x"], 150))),
  });
  const client = await watch(port, id);
  const first = await submit(port, id);
  await client.event("text.delta");
  const post = async (when_busy, content = when_busy) =>
    send("POST", `/${id}/turns`, { content, when_busy });
  const waiting = [];
  for (let answer; (answer = await post("queue")).status !== 429;) {
    assert.equal(answer.status, 202, answer.text);
    waiting.push(answer.json.turn_id);
  }
  assert.equal(waiting.length, 16);
  // All before the one in flight can have ended: only the last has its turn.
  const urgent = await Promise.all([1, 2, 3].map((n) => post("interrupt", `now ${n}`)));
  assert.deepEqual(urgent.map(({ status }) => status), [202, 202, 202]);
  await client.event("turn.completed", ({ turn_id }) => turn_id === waiting.at(-1));
  const cancelled = client.of_type("turn.cancelled");
  assert.ok(cancelled.every(({ payload }) => payload.reason === "interrupted"));
  const gone = new Set(cancelled.map(({ turn_id }) => turn_id));
  const ended = [...gone, ...client.of_type("turn.completed").map(({ turn_id }) => turn_id)];
  assert.deepEqual(new Set(ended), new Set([first, ...urgent.map(({ json }) => json.turn_id), ...waiting]));
  assert.equal(ended.length, 20, "each ends once");
  assert.ok(gone.has(first) && gone.size === 3);
  const completed = client.of_type("turn.completed").map(({ turn_id }) => turn_id);
  assert.ok(urgent.some(({ json }) => json.turn_id === completed[0]), "the urgent one is first");
  assert.deepEqual(completed.slice(1), waiting);
  assert.equal(client.of_type("bus.handler_warning").length, 0);
  await client.close();
});

test("what turns wait with is bounded in bytes, of one and of all sessions", () =>
  with_daemon(
    async (_, own_port) => {
      const post = (id, bytes) =>
        session_request(own_port, "POST", `/${id}/turns`, { content: "q".repeat(bytes), when_busy: "queue" });
      const id = await create_session(own_port, { script: endless });
      const other = await create_session(own_port, { script: endless });
      const long = await post(id, 50_000);
      assert.equal(long.status, 413, long.text);
      assert.match(long.json.error.message, /session_message_bytes/);
      for (const session of [id, other]) assert.equal((await post(session, 1_000)).status, 202);
      const waiting = [await post(id, 30_000), await post(id, 30_000)];
      assert.deepEqual(waiting.map(({ status }) => status), [202, 202]);
      const refused = await post(other, 45_000);
      assert.equal(refused.status, 503, refused.text);
      assert.match(refused.json.error.message, /session_turns_bytes/);
      const cancelled = await session_request(own_port, "POST", `/${id}/turns/${waiting[0].json.turn_id}/cancel`);
      assert.equal(cancelled.status, 202);
      assert.equal((await post(other, 30_000)).status, 202);
    },
    { config: { limits: { session_message_bytes: 50_000, session_turns_bytes: 100_000 } } },
  ));

test("queued turns of a server that was killed are told as cancelled", async () => {
  const { rmSync } = await import("node:fs");
  const state_dir = (await import("./support/engine.mjs")).temporary_directory();
  const first = start_daemon({ state_dir });
  const first_port = await first.port();
  const id = await create_session(first_port, { script: endless });
  const client = await watch(first_port, id);
  const turn = await submit(first_port, id);
  await client.event("text.delta");
  const queued = await session_request(first_port, "POST", `/${id}/turns`, {
    content: "later",
    when_busy: "queue",
  });
  const cursor = client.of_type("turn.queued")[0]?.id ?? (await client.event("turn.queued")).id;
  first.child.kill("SIGKILL");
  await first.exited;
  rmSync(path.join(state_dir, "port"), { force: true });
  await with_daemon(
    async (_, second_port) => {
      const later = await watch(second_port, id, { since: cursor });
      await later.event("turn.cancelled", ({ turn_id }) => turn_id === queued.json.turn_id);
      assert.deepEqual(
        later.events.map(({ type, turn_id }) => [type, turn_id]),
        [
          ["llm.call_failed", turn],
          ["turn.cancelled", turn],
          ["turn.cancelled", queued.json.turn_id],
        ],
      );
      assert.deepEqual((await attach(second_port, id)).queued_turn_ids, []);
    },
    { state_dir },
  );
  rmSync(state_dir, { recursive: true, force: true });
});

test("a snapshot says whether there is more before it", () =>
  with_daemon(
    async (_, small_port) => {
      const id = await create_session(small_port, { script: short });
      const client = await watch(small_port, id);
      const snapshot = async () => {
        const reader = await connect(small_port, id);
        reader.subscribe({ snapshot: true });
        const frame = await reader.frame(({ type }) => type === "snapshot");
        await reader.close();
        return frame;
      };
      assert.equal((await snapshot()).has_more, false);
      for (let n = 0; n < 3; ++n) {
        const turn = await submit(small_port, id);
        await client.event("turn.completed", ({ turn_id }) => turn_id === turn);
      }
      const after_three = await snapshot();
      assert.equal(after_three.messages.length, 4);
      assert.equal(after_three.has_more, true);
      await client.close();
    },
    { config: { limits: { session_snapshot_messages: 4 } } },
  ));

test("events outside the catalog come to those who want all", async () => {
  const id = await create_session(port, {
    script: script_of([{ event: { type: "made.up", payload: {} } }, { text: "x" }]),
  });
  const all = await watch(port, id, { filter: "preset:full" });
  const any = await watch(port, id, { filter: { event_types: null } });
  const some = await watch(port, id, { filter: { event_types: ["turn.started", "turn.completed"] } });
  const none = await watch(port, id, { filter: { event_types: [] } });
  await submit(port, id);
  for (const client of [all, any]) await client.event("made.up");
  for (const client of [all, any, some]) await client.event("turn.completed");
  assert.deepEqual(some.types, ["turn.started", "turn.completed"]);
  assert.deepEqual(none.types, []);
  await Promise.all([all, any, some, none].map((client) => client.close()));
});

test("a token that was given out is good for its time, whoever asks meanwhile", () =>
  with_daemon(
    async (_, small_port) => {
      const id = await create_session(small_port);
      const mine = await attach(small_port, id, { "x-gasoline-client": "mine" });
      let refused = 0;
      for (let n = 0; n < 30; ++n) {
        const answer = await session_request(small_port, "GET", `/${id}`, undefined, {
          "x-gasoline-client": "greedy",
        });
        refused += answer.status === 429 ? 1 : 0;
        if (answer.status === 429) assert.equal(answer.headers["retry-after"], "60");
      }
      assert.equal(refused, 20);
      assert.equal(
        (await session_request(small_port, "GET", `/${id}`, undefined, { "x-gasoline-client": "third" }))
          .status,
        200,
      );
      const client = await connect(small_port, id, mine.ws_url);
      assert.equal(client.socket.readyState, WebSocket.OPEN);
      await client.close();
    },
    { config: { limits: { session_attach_tokens: 20 } } },
  ));

test("a session that is deleted says so to a client that has not subscribed", async () => {
  const id = await create_session(port);
  const client = await connect(port, id);
  assert.equal((await send("DELETE", `/${id}`)).status, 204);
  const { code, reason } = await client.closed;
  assert.equal(code, 1000);
  assert.equal(JSON.parse(reason).code, "session_deleted");
});

test("the list leaves out what its reader may not use", async () => {
  const token = readFileSync(path.join(engine.state_dir, "token"), "utf8").trim();
  const bearer = { authorization: `Bearer ${token}` };
  const secret = await create_session(port, { tools: ["read_file"] }, bearer);
  const open = await create_session(port);
  const ids = async (headers) =>
    (await send("GET", "", undefined, headers)).json.sessions.map(({ id }) => id);
  const seen = await ids();
  assert.ok(seen.includes(open) && !seen.includes(secret));
  const all = await ids(bearer);
  assert.ok(all.includes(open) && all.includes(secret));
});
