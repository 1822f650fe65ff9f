// What is over leaves nothing behind: turns, calls of tools, waiting calls whose client has gone.
import assert from "node:assert/strict";
import { test } from "node:test";

import { many_calls, with_daemon } from "./support/daemon.mjs";
import { wait_until } from "./support/deadline.mjs";
import { http_request } from "./support/http.mjs";
import { http_session, notification_of, request_of } from "./support/mcp_http.mjs";
import { create_session, script_of, session_request, submit } from "./support/session_client.mjs";

const rounds = 500;

// Grows by no more than `most` bytes for each round, once the first rounds are over and what they have left to be
// written to the disk is there.
const assert_flat = async (t, engine, once, most, count = rounds) => {
  for (let i = 0; i < count / 2; ++i) await once();
  const before = engine.memory_kb();
  for (let i = 0; i < count; ++i) await once();
  const each = () => Math.round(((engine.memory_kb() - before) * 1024) / count);
  await wait_until(
    () => each() < most,
    () => `${each()} bytes for each`,
    { every: 100 },
  );
  t.diagnostic(`${each()} bytes for each`);
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

test("calls of the engine's tools leave nothing behind, nor does the client that made them", (t) =>
  with_daemon(async (engine, port) => {
    const script = script_of(
      [{ tool_use: { name: "observe", input: { what: "errors" } } }],
      [{ text: "Done." }],
    );
    const visit_with_tool = () => visit(port, { script, tools: ["observe"] });
    await assert_flat(t, engine, visit_with_tool, 2_500, rounds / 2);
    const { clients } = (await http_request(port, { path: "/health" })).json;
    assert.deepEqual(clients, []);
  }, many_calls));

test("waiting calls that are cancelled leave nothing behind", (t) =>
  with_daemon(async (engine, port) => {
    const session = await http_session.open(port);
    const wait_and_cancel = async () => {
      const call = request_of("tools/call", {
        name: "observe",
        arguments: { what: "alerts", wait_seconds: 50 },
      });
      const waiting = session.post(call);
      await session.request("ping");
      await session.post(notification_of("notifications/cancelled", { requestId: call.id }));
      await waiting;
    };
    await assert_flat(t, engine, wait_and_cancel, 1_000);
  }, many_calls));
