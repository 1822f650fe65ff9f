// What is over leaves nothing behind.
import assert from "node:assert/strict";
import { test } from "node:test";

import { many_calls, with_daemon } from "./support/daemon.mjs";
import { create_session, script_of, session_request, submit } from "./support/session_client.mjs";

const rounds = 500;

// Grows by no more than `most` bytes for each round, once the first rounds are over.
const assert_flat = async (t, engine, once, most) => {
  for (let i = 0; i < rounds / 2; ++i) await once();
  const before = engine.memory_kb();
  for (let i = 0; i < rounds; ++i) await once();
  const each = ((engine.memory_kb() - before) * 1024) / rounds;
  t.diagnostic(`${Math.round(each)} bytes for each`);
  assert.ok(each < most, `${each} bytes for each`);
};

const idle = async (port, id) => {
  const { sessions } = (await session_request(port, "GET", "")).json;
  if (sessions.some((session) => session.id === id && session.current_turn_id))
    await idle(port, id);
};

// A turn, from the session's making to its deletion.
const visit = async (port, more) => {
  const id = await create_session(port, more);
  await submit(port, id);
  await idle(port, id);
  assert.equal((await session_request(port, "DELETE", `/${id}`)).status, 204);
};

test("turns, whose limit is half an hour, leave nothing behind", (t) =>
  with_daemon(async (engine, port) => {
    const script = script_of([{ text: "Done." }]);
    await assert_flat(t, engine, () => visit(port, { script }), 1_500);
  }, many_calls));
