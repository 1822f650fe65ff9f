// A long conversation: whatever an agent calls, each alert is told to its model once, in few bytes.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

import { binary, clean_environment, start_engine, temporary_directory } from "./support/engine.mjs";
import { exception, word } from "./support/samples.mjs";

const calls = 200;
const alerts = 30;

const hook = (state_dir, event) =>
  new Promise((done) => {
    const args = ["hook", "--client", "claude", "--event", event, "--state-dir", state_dir];
    const child = spawn(binary, args, { env: clean_environment(state_dir) });
    let out = "";
    child.stdout.on("data", (piece) => (out += piece));
    child.on("close", () => done(out));
    child.stdin.end(JSON.stringify({ session_id: "long", cwd: state_dir }));
  });

// What the agent calls, by the turn: tools of its own, behind which only a hook tells, and `observe`. It
// lists alerts and waits for them just when something breaks.
const ways = [
  { of: "hook" },
  { of: "block", args: { what: "actions" } },
  { of: "hook" },
  { of: "listing", args: { what: "alerts" } },
  { of: "hook" },
  { of: "hook" },
  { of: "waiting_call", args: { what: "alerts", wait_seconds: 1 } },
];

test("of 200 tool calls with 30 alerts, each alert is told once, whichever way comes first", async () => {
  const state_dir = temporary_directory();
  const config = path.join(state_dir, "settings.json");
  writeFileSync(config, JSON.stringify({ limits: { client_tool_calls_per_minute: 1_000 } }));
  const engine = start_engine({ state_dir, args: ["--config", config] });
  try {
    await engine.initialize();
    const told = { hook: [], block: [], listing: [], waiting_call: [] };
    const raised = [];
    for (let n = 0; n < calls; ++n) {
      const breaks = raised.length < alerts && n % 6 === 3;
      if (breaks) {
        raised.push(word(raised.length + 1));
        await engine.post("/logs", exception(`Uncaught TypeError: ${raised.at(-1)} is not a function`));
      }
      const { of, args } = ways[n % ways.length];
      if (args && (of === "block" || breaks)) {
        const { content } = await engine.call("observe", args);
        told[of].push(of === "block" ? (content[1]?.text ?? "") : content[0].text);
      }
      const text = await hook(state_dir, "PostToolBatch");
      if (text) told.hook.push(JSON.parse(text).hookSpecificOutput.additionalContext);
    }
    assert.equal(raised.length, alerts);
    const in_passing = [...told.hook, ...told.block].join("\n");
    for (const mark of raised) {
      const times = in_passing.split(` ${mark} is not`).length - 1;
      assert.ok(times <= 1, `${mark}: told ${times} times in passing`);
    }
    const { delivery } = await engine.stream({ streaming_action: "status" });
    assert.equal(delivery.raised, alerts);
    assert.equal(delivery.unread, 0);
    const shown = Object.values(delivery.shown).reduce((sum, count) => sum + count, 0);
    assert.equal(shown, alerts, JSON.stringify(delivery.shown));
    for (const way of ["hook", "block", "listing", "waiting_call"])
      assert.ok(delivery.shown[way] > 0, `${way}: none`);
    const price = (way) => Buffer.byteLength(told[way].join("")) / delivery.shown[way];
    assert.ok(price("hook") <= 300, `${price("hook")} bytes an alert by hooks`);
    assert.ok(price("block") <= 500, `${price("block")} bytes an alert by blocks`);
  } finally {
    engine.child.kill("SIGKILL");
  }
});
