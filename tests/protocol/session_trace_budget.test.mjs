// What is kept of all sessions has a budget of bytes: the oldest leave, are counted, and nobody who
// comes back is told that nothing is missing.
import assert from "node:assert/strict";
import { statSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

import { with_daemon } from "./support/daemon.mjs";
import { wait_until } from "./support/deadline.mjs";
import { create_session, session_request } from "./support/session_client.mjs";

const budget = 1 << 20;
const config = { limits: { session_trace_bytes: budget } };

test("40 MB of turns in several sessions: the file stays within a few budgets, the newest are there", () =>
  with_daemon(
    async (engine, port) => {
      const trace = async () => JSON.parse((await engine.http({ path: "/health" })).text).trace;
      const ids = [await create_session(port), await create_session(port)];
      const events = (turn, text) => [
        { type: "turn.started", turn_id: turn, payload: {} },
        { type: "message.start", turn_id: turn, payload: { message_id: `m_${turn}`, role: "assistant" } },
        {
          type: "message.complete",
          turn_id: turn,
          payload: { message_id: `m_${turn}`, stop_reason: "end_turn", final_content: [{ type: "text", text }] },
        },
        { type: "turn.completed", turn_id: turn, payload: { stop_reason: "end_turn" } },
      ];
      const text = "a line of what a model wrote, kept for a while ".repeat(10_000);
      for (let turn = 0; turn < 80; ++turn) {
        const id = ids[turn % ids.length];
        const fed = await session_request(port, "POST", `/${id}/events`, { events: events(`t${turn}`, text) });
        assert.ok(fed.status < 300, fed.text);
      }
      await wait_until(
        async () => (await trace()).waiting === 0 && (await trace()).bytes <= budget,
        () => "the trace stays above its budget",
      );
      const kept = await trace();
      assert.ok(kept.pruned_events > 0, JSON.stringify(kept));
      assert.equal(kept.retention.bytes, budget);
      for (const file of ["trace.db", "trace.db-wal"]) {
        const { size } = statSync(path.join(engine.state_dir, file));
        assert.ok(size < 20 * budget, `${file}: ${size} bytes after 38 MB`);
      }
      // One turn that never ends is bounded as well.
      const endless = (n) => [{ type: "tool.called", turn_id: "endless", payload: { tool_use_id: `u${n}`, tool_name: "t", input: { text } } }];
      const started = [{ type: "turn.started", turn_id: "endless", payload: {} }];
      const begun = await session_request(port, "POST", `/${ids[0]}/events`, { events: started });
      assert.ok(begun.status < 300, begun.text);
      for (let n = 0; n < 40; ++n) {
        const fed = await session_request(port, "POST", `/${ids[0]}/events`, { events: endless(n) });
        assert.ok(fed.status < 300, fed.text);
      }
      await wait_until(
        async () => (await trace()).waiting === 0 && (await trace()).bytes <= 2 * budget,
        async () => `the trace stays above its budget: ${JSON.stringify(await trace())}`,
      );
      for (const id of ids) assert.equal((await session_request(port, "GET", `/${id}`)).status, 200);
    },
    { config },
  ));
