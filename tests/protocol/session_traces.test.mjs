// The traces of session streams against the JavaScript module: what it does and shows
// after every step, whatever the jitter of its delays.
import assert from "node:assert/strict";
import { test } from "node:test";

import { session_stream } from "../../tools/page_script/session_client/session_stream.mjs";
import { read_trace, run_trace, trace_names } from "./support/session_trace.mjs";

const jitters = { shortest: 0, middle: 0.5, longest: 1 - Number.EPSILON };

for (const name of trace_names())
  test(name, () => {
    for (const draw of Object.values(jitters))
      run_trace(name, (start) => new session_stream({ ...start, random: () => draw }));
  });

// Delays differ by their draw; a constant one would send all clients back at once.
test("the delay before an attempt follows the draw", () => {
  const delay = (draw) => {
    const client = new session_stream({ session_id: "sess_1", random: () => draw });
    client.start(0);
    client.attached(undefined, 1_000);
    return client.deadline - 1_000;
  };
  assert.deepEqual([0, 0.5, 0.9].map(delay), [125, 187.5, 237.5]);
});

test("a stopped client closes its socket, and nothing moves it any more", () => {
  const { start, attached } = Object.assign({}, ...read_trace("01_happy_path").slice(0, 2));
  const client = new session_stream(start);
  client.start(0);
  client.attached(attached, 0);
  client.opened();
  assert.deepEqual(client.stop(), [
    { close: 1000 },
    { end: { code: "stopped", message: "The client has stopped." } },
  ]);
  assert.equal(client.deadline, null);
  for (const actions of [
    client.stop(),
    client.start(0),
    client.attached(attached, 0),
    client.opened(),
    client.received('{"type":"ping","nonce":"1"}', 0),
    client.closed({ code: 1006 }, 0),
    client.cancel("turn_1"),
    client.tick(1e9),
    client.retry_now(0),
  ])
    assert.deepEqual(actions, []);
});

test("a user who does not want to wait attaches at once", () => {
  const client = new session_stream({ session_id: "sess_1" });
  client.start(0);
  client.attached(undefined, 0);
  assert.deepEqual(client.retry_now(1), [{ attach: "sess_1" }]);
  assert.deepEqual(client.retry_now(1), []);
});

// ---- cut anywhere ----

const ack = '{"type":"subscribe_ack"}';

const connect = (client, now) => {
  client.attached({ status: 200, body: { ws_url: "ws://h/s" } }, now);
  client.opened();
  client.received(ack, now);
};

const is_piece = ({ type }) => /^(text|thinking)\.delta$|^tool\.use_/.test(type);

// What a server replays of the frames that it has sent so far: those above the cursor, without the
// pieces of messages that are complete.
const replayed = (frames, cursor) => {
  const complete = new Set(
    frames.map(({ event }) => event.type === "message.complete" && event.payload.message_id),
  );
  return frames.filter(
    ({ event }) =>
      event.id > cursor && !(is_piece(event) && complete.has(event.payload.message_id)),
  );
};

// A server that is careless about the seam replays everything it ever sent.
const servers = { exact: replayed, careless: (frames) => frames };

// Traces of one connection, on which the server sends events.
const undisturbed = trace_names()
  .map((name) => ({ name, steps: read_trace(name) }))
  .filter(({ steps }) => steps.every(({ closed, due_ms, end }) => !(closed || due_ms || end)));

// Plays the events of a trace; the connection is lost after event `cut_at`, and the client is back
// when the server has sent `missed` more.
const play = (steps, { cut_at = -1, missed = 0, replay }) => {
  const [{ start }] = steps;
  const frames = steps.flatMap(({ received }) => received ?? []);
  const events = frames.filter(({ event }) => typeof event?.payload === "object");
  const client = new session_stream({ ...start, random: () => 0 });
  const send = (frame) => client.received(JSON.stringify(frame), 0);
  client.start(0);
  connect(client, 0);
  frames.filter(({ type, session }) => type === "snapshot" && session).forEach(send);
  events.slice(0, cut_at + 1).forEach(send);
  if (cut_at >= 0) {
    client.closed({ code: 1006 }, 0);
    client.tick(client.deadline);
    connect(client, 0);
    replay(events.slice(0, cut_at + 1 + missed), client.cursor).forEach(send);
  }
  events.slice(cut_at + 1 + (cut_at >= 0 ? missed : 0)).forEach(send);
  const { repaired, ...view } = client.view;
  return { text: JSON.stringify(view), events: events.length };
};

test("a connection that is cut after any event changes nothing in the end", () => {
  assert.ok(undisturbed.length > 10);
  for (const { name, steps } of undisturbed) {
    const whole = play(steps, {});
    for (const replay of Object.values(servers))
      for (let cut_at = 0; cut_at < whole.events; ++cut_at)
        for (const missed of [0, 1, 2, 7, whole.events]) {
          const { text } = play(steps, { cut_at, missed, replay });
          assert.equal(text, whole.text, `${name}, cut after event ${cut_at}, ${missed} missed`);
        }
  }
});

// What a server keeps sending must not grow without end in a page that is left open for days.
test("a view is bounded, and counts what it has forgotten", () => {
  const settings = { messages_kept: 10, notices_kept: 5 };
  const client = new session_stream({ session_id: "sess_1", since: "evt_0", settings });
  client.start(0);
  connect(client, 0);
  let serial = 0;
  const tell = (type, payload, more) => {
    const id = `evt_1${String((serial += 1)).padStart(6, "0")}`;
    const event = { id, type, session_id: "sess_1", turn_id: "turn_1", payload, ...more };
    client.received(JSON.stringify({ type: "event", event }), 0);
  };
  for (let n = 0; n < 100; ++n) {
    tell("message.start", { message_id: `msg_${n}`, role: "assistant" });
    tell("text.delta", { message_id: `msg_${n}`, content_block_index: 0, text: `${n}` });
    tell("tool.called", { tool_use_id: `tu_${n}`, tool_name: "shell", input: {} });
    tell("alert.raised", { alert_id: `${n}`, severity: "info", title: "t" });
    tell("made.up.thing", { n });
    tell("turn.completed", {}, { session_id: `sess_w${n}`, parent_session_id: "sess_1" });
  }
  const { view } = client;
  assert.equal(view.messages.length, 10);
  assert.equal(view.forgotten, 90);
  assert.equal(view.messages.at(-1).content[0].text, "99");
  assert.ok(view.tools.length <= 11);
  assert.deepEqual(
    [view.alerts, view.unknown, view.workers].map((list) => list.length),
    [5, 5, 5],
  );
});
