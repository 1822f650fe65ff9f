// Agents that run elsewhere feed a session: its history is what was seen live, the caps of our own
// messages hold, and the agent learns that its turn is to end.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { start_daemon } from "./support/daemon.mjs";
import { open_stream } from "./support/event_stream.mjs";
import { connect, create_session, session_request, watch } from "./support/session_client.mjs";

let engine;
let port;

before(async () => {
  engine = start_daemon({ config: { limits: { session_message_bytes: 100_000 } } });
  port = await engine.port();
});
after(() => engine.stop());

const feed = (id, ...events) => session_request(port, "POST", `/${id}/events`, { events });
const fed = async (id, ...events) => {
  const answer = await feed(id, ...events);
  assert.equal(answer.status, 202, answer.text);
  return answer.json;
};
const event = (type, payload = {}, more = {}) => ({ type, payload, ...more });
const begin = (turn_id, content = [{ type: "text", text: "Fix it." }]) =>
  event("turn.started", { content }, { turn_id });
const said = (message_id, text) => [
  event("message.start", { message_id, role: "assistant", model: "m" }),
  event("text.delta", { message_id, content_block_index: 0, text }),
  event("message.complete", {
    message_id,
    stop_reason: "end_turn",
    final_content: [{ type: "text", text }],
  }),
];
const delta = (message_id, text) =>
  event("text.delta", { message_id, content_block_index: 0, text });

const snapshot_of = async (id) => {
  const client = await connect(port, id);
  client.subscribe({ snapshot: true });
  const frame = await client.frame(({ type }) => type === "snapshot");
  return { client, frame };
};

test("question, answer and tool results are in the history", async () => {
  const id = await create_session(port);
  await fed(id, begin("turn_a"), ...said("msg_a", "I look."));
  await fed(
    id,
    event("tool.called", { tool_use_id: "t1", tool_name: "grep", input: { for: "x" } }),
    event("tool.called", { tool_use_id: "t2", tool_name: "grep", input: { for: "y" } }),
    event("tool.completed", { tool_use_id: "t1", tool_name: "grep", result: "found x" }),
  );
  await fed(
    id,
    event("tool.failed", {
      tool_use_id: "t2",
      tool_name: "grep",
      error_class: "crashed",
      message: "no y",
    }),
    ...said("msg_b", "Mended."),
    event("turn.completed", { status: "completed" }),
  );
  const { client, frame } = await snapshot_of(id);
  assert.deepEqual(
    frame.messages.map(({ role, content }) => [role, content]),
    [
      ["user", [{ type: "text", text: "Fix it." }]],
      ["assistant", [{ type: "text", text: "I look." }]],
      [
        "user",
        [
          { type: "tool_result", tool_use_id: "t1", content: "found x", is_error: false },
          { type: "tool_result", tool_use_id: "t2", content: "no y", is_error: true },
        ],
      ],
      ["assistant", [{ type: "text", text: "Mended." }]],
    ],
  );
  const { messages } = (await session_request(port, "GET", `/${id}/messages`)).json;
  assert.deepEqual(messages, frame.messages);
  await client.close();
});

test("texts stand for their one block", async () => {
  const id = await create_session(port);
  await fed(
    id,
    event("turn.started", { content: "Mend it." }, { turn_id: "turn_a" }),
    event("message.start", { message_id: "msg_a", role: "assistant", model: "m" }),
    event("message.complete", {
      message_id: "msg_a",
      stop_reason: "end_turn",
      final_content: "Mended.",
    }),
    event("turn.completed", { status: "completed" }),
  );
  const { client, frame } = await snapshot_of(id);
  assert.deepEqual(
    frame.messages.map(({ content }) => content),
    [[{ type: "text", text: "Mend it." }], [{ type: "text", text: "Mended." }]],
  );
  await client.close();
});

test("a turn that ends leaves no message half written", async () => {
  const id = await create_session(port);
  const watcher = await watch(port, id);
  await fed(
    id,
    begin("turn_a"),
    event("message.start", { message_id: "msg_a", role: "assistant", model: "m" }),
    delta("msg_a", "half "),
    delta("msg_a", "a word"),
    event("turn.cancelled", { reason: "user_cancel" }),
  );
  await watcher.event("turn.cancelled");
  const complete = await watcher.event("message.complete");
  assert.deepEqual(complete.payload.final_content, [{ type: "text", text: "half a word" }]);
  assert.equal(complete.payload.stop_reason, "cancelled");
  assert.deepEqual(watcher.types.slice(-2), ["message.complete", "turn.cancelled"]);
  const { client, frame } = await snapshot_of(id);
  assert.equal(frame.messages.at(-1).status, "cancelled");
  assert.equal(frame.messages.at(-1).content[0].text, "half a word");
  await client.close();
  await watcher.close();
});

test("a message has the cap of our own, in its deltas and at its end", async () => {
  const id = await create_session(port);
  await fed(
    id,
    begin("turn_a"),
    event("message.start", { message_id: "msg_a", role: "assistant", model: "m" }),
  );
  let taken = 0;
  let refused;
  for (let n = 0; n < 20 && !refused; ++n) {
    const answer = await feed(id, delta("msg_a", "x".repeat(10_000)));
    if (answer.status === 202) taken += 1;
    else refused = answer;
  }
  assert.equal(taken, 10);
  assert.equal(refused.status, 400);
  assert.match(refused.json.error.message, /session_message_bytes/);
  const too_long = await feed(
    id,
    event("message.complete", {
      message_id: "msg_a",
      stop_reason: "end_turn",
      final_content: [{ type: "text", text: "y".repeat(100_001) }],
    }),
  );
  assert.equal(too_long.status, 400);
  await fed(
    id,
    event("message.complete", { message_id: "msg_a", stop_reason: "end_turn", final_content: [] }),
    event("turn.completed", { status: "completed" }),
  );
});

test("a message that is never finished is finished here, and replays stay within their cap", async () => {
  const id = await create_session(port);
  await fed(
    id,
    begin("turn_a"),
    event("message.start", { message_id: "msg_a", role: "assistant", model: "m" }),
    delta("msg_a", "never finished"),
  );
  const before = engine.memory_kb();
  const batch = Array.from({ length: 1_000 }, (_, n) =>
    event("route.decided", { model: `m${n}` }),
  );
  for (let n = 0; n < 29; ++n) await fed(id, ...batch);
  assert.ok(engine.memory_kb() - before < 60_000, `${engine.memory_kb() - before} kB more`);
  const { client, frame } = await snapshot_of(id);
  assert.equal(frame.messages.at(-1).content[0].text, "never finished");
  await fed(id, event("turn.completed", { status: "completed" }));
  await client.event("turn.completed");
  assert.ok(client.events.length < 10_000, `${client.events.length} events after the snapshot`);
  await client.close();
});

test("an agent learns over its event stream that its turn is to end", async () => {
  const id = await create_session(port);
  const stream = await open_stream(port, {
    path: `/sessions/${id}/events?event_types=turn.cancel_requested`,
  });
  await fed(id, begin("turn_a"));
  const client = await watch(port, id);
  client.cancel("turn_a", "the user has seen enough");
  const asked = await stream.event(({ message }) => message?.event?.type === "turn.cancel_requested");
  assert.equal(asked.message.event.turn_id, "turn_a");
  assert.equal(asked.message.event.payload.reason, "the user has seen enough");
  const cancelled = await session_request(port, "POST", `/${id}/turns/turn_a/cancel`);
  assert.equal(cancelled.status, 202);
  await fed(id, event("turn.cancelled", { reason: "user_cancel" }));
  await client.event("turn.cancelled");
  assert.equal(client.of_type("turn.cancel_requested").length, 1);
  stream.drop();
  await client.close();
});
