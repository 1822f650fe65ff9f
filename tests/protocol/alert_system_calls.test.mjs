// What one alert costs in system calls, once the engine is warm: the report is read, the alert and
// the answer are written, and the loop waits. No other thread is woken and no memory is asked for.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

import { wait_until } from "./support/deadline.mjs";
import { start_engine, temporary_directory } from "./support/engine.mjs";
import { console_entry, exception, word } from "./support/samples.mjs";

const throttle_seconds = 1;
const between_batches_ms = 2100;
const has_strace = spawnSync("strace", ["-V"]).status === 0;

const is_told = (line) => /(sendto|write)\(1, .*notif/.test(line);

// The calls from the arrival of the last report to its answer and the alert. Under strace a turn of
// the loop may take long enough that the answer comes first.
const calls_of_last_report = (trace) => {
  const lines = trace.split("\n");
  const first = lines.findLastIndex((l) => l.includes("POST /logs"));
  const answered = lines.findIndex((l, i) => i > first && l.includes("HTTP/1.1 200"));
  const told = lines.findIndex((l, i) => i > first && is_told(l));
  assert.ok(first >= 0 && answered > first && told > first, trace.slice(-2000));
  const last = Math.max(answered, told);
  return lines.slice(first, last + 1);
};

test(
  "an alert of a warm engine wakes no thread and asks for no memory",
  { skip: !has_strace && "strace is not installed" },
  async (t) => {
    const engine = await start_engine();
    t.after(() => engine.stop());
    await engine.initialize();
    await engine.stream({ streaming_action: "enable", throttle_seconds });
    const report = (n) => engine.post("/logs", exception(word(n)));
    for (let n = 0; n < 200; ++n)
      await engine.post("/logs", { entries: [console_entry(word(n), "info")] });

    const file = path.join(temporary_directory(), "trace");
    const tracer = spawn("strace", ["-f", "-o", file, "-p", `${engine.pid}`], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    let said = "";
    tracer.stderr.on("data", (chunk) => (said += chunk));
    const ended = new Promise((resolve) => tracer.on("exit", resolve));
    await wait_until(() => said.includes("attached") || tracer.exitCode !== null, () => said);
    // Only root may trace a process that is closed to others.
    if (tracer.exitCode !== null) return t.skip(said);
    // An alert that comes when the throttle is open is told within its own turn of the loop.
    for (let n = 0; n < 3; ++n) {
      await sleep(between_batches_ms);
      const from = engine.messages.length;
      await report(n);
      await engine.message((m) => m.method === "notifications/message", { from });
    }
    tracer.kill("SIGINT");
    await ended;

    const calls = calls_of_last_report(readFileSync(file, "utf8"));
    const names = calls.map((l) => l.match(/^\d+ +(\w+)\(/)?.[1]);
    for (const unwanted of ["futex", "mprotect", "brk", "mmap", "munmap", "madvise", "clone"])
      assert.ok(!names.includes(unwanted), calls.join("\n"));
    assert.equal(new Set(calls.map((l) => l.split(" ")[0])).size, 1, calls.join("\n"));
    const told = calls.filter(is_told);
    const answered = calls.filter((l) => l.includes("HTTP/1.1 200"));
    assert.deepEqual([told.length, answered.length], [1, 1], calls.join("\n"));
  },
);
