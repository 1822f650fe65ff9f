// A storm of alerts in real time. That any 60 s hold at most 12 notifications is proved under
// virtual time; here the counts of `status` are held against the lines that were read.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

import { wait_until } from "./support/deadline.mjs";
import { with_engine } from "./support/engine.mjs";
import { ci_failure, exception, word } from "./support/samples.mjs";

const storm_ms = 15_000;
const most_per_minute = 12;

const members_of = ({ params: { data } }) => data.alerts ?? [data];

// New faults of two kinds until `signal` is aborted; gives how many.
const storm = async (engine, signal) => {
  let sent = 0;
  while (!signal.aborted) {
    const answers = await Promise.all([
      engine.post("/logs", exception(`Error: storm ${word((sent += 1))}`)),
      engine.post("/ci-result", ci_failure({ source: `storm-${word((sent += 1))}` })),
    ]);
    for (const { status } of answers) assert.equal(status, 200);
    await sleep(10);
  }
  return sent;
};

const status_of = (engine) => engine.stream({ streaming_action: "status" });

const enable = (engine) =>
  engine.stream({ streaming_action: "enable", throttle_seconds: 1, severity_min: "warning" });

test("15 s of storm with toggles: what is counted is what was read", async () => {
  await with_engine(async (engine) => {
    const over = new AbortController();
    const started = performance.now();
    const sending = storm(engine, over.signal);
    let read_before = 0;
    for (let round = 0; performance.now() - started < storm_ms; ++round) {
      await enable(engine);
      await sleep(2500);
      const status = await status_of(engine);
      // The answer left after every notification that it counts, on the same stream.
      assert.equal(
        status.notify_count,
        engine.notifications.length - read_before,
        `round ${round}`,
      );
      const { pending_cleared } = await engine.stream({ streaming_action: "disable" });
      const silent_from = engine.notifications.length;
      assert.ok(pending_cleared <= 100);
      await engine.post("/ci-result", ci_failure({ source: `silent-${word(round)}` }));
      await engine.observe({ what: "ci" });
      assert.equal(engine.notifications.length, silent_from, "silence while disabled");
      read_before = silent_from;
    }
    over.abort();
    const sent = await sending;
    assert.ok(sent > 100);
    const told = engine.notifications;
    assert.ok(told.length >= 4 && told.length <= most_per_minute, `${told.length} notifications`);
    for (const notification of told) {
      assert.ok(Buffer.byteLength(JSON.stringify(notification)) <= 16_384);
      assert.doesNotMatch(JSON.stringify(notification), /silent-/);
    }
    engine.assert_clean();
  });
});

test("once 12 were told, alerts wait however often it is toggled, and nothing is lost", async () => {
  await with_engine(async (engine) => {
    // Toggling is the fastest way to emit, since the first alert after it goes out at once.
    for (let i = 0; i < 20; ++i) {
      await enable(engine);
      await engine.post("/ci-result", ci_failure({ source: `burst-${word(i)}` }));
      if (i < most_per_minute)
        await wait_until(
          () => engine.notifications.length === i + 1,
          () => `${engine.notifications.length} of ${i + 1} told`,
        );
      if (i < 19) await engine.stream({ streaming_action: "disable" });
    }
    const status = await status_of(engine);
    assert.equal(engine.notifications.length, most_per_minute);
    assert.equal(status.notify_count, 0);
    assert.equal(status.pending, 1);
    const { items } = await engine.observe({ what: "alerts", max_bytes: 50_000 });
    assert.equal(items.length, 20, "observe has them all");
  });
});

test("100 alerts fit in the batch, more are counted as dropped", async () => {
  await with_engine(async (engine) => {
    await engine.stream({ streaming_action: "enable", throttle_seconds: 8 });
    await engine.post("/ci-result", ci_failure({ source: "first" }));
    await engine.message((m) => m.method === "notifications/message");
    for (let i = 0; i < 13; ++i)
      await engine.post("/logs", {
        entries: Array.from({ length: 10 }, (_, n) => ({
          type: "exception",
          level: "error",
          message: `Error: many ${word(10 * i + n)}`,
        })),
      });
    const waiting = await status_of(engine);
    const batch = await engine.message((m) => m.params?.data.alerts);
    const status = await status_of(engine);
    assert.equal(waiting.pending, 100);
    assert.equal(status.notify_count, 2);
    assert.equal(status.pending, 0);
    const { data } = batch.params;
    assert.match(data.title, /^100 alerts: /);
    assert.equal(members_of(batch).length + (data.alerts_omitted ?? 0), 100);
    assert.ok(status.dropped >= 30 && status.dropped <= 32, `${status.dropped} dropped`);
    assert.ok(Buffer.byteLength(JSON.stringify(batch)) <= 16_384);
  });
});

test("repeats within 30 s are counted as duplicates, not told again", async () => {
  await with_engine(async (engine) => {
    await enable(engine);
    for (let i = 0; i < 20; ++i)
      await engine.post("/logs", exception(`Error: order ${1000 + i} not found`));
    await engine.message((m) => m.method === "notifications/message");
    await sleep(2500); // longer than the batch window: a repeat would be told by now
    const about = engine.notifications
      .flatMap(members_of)
      .filter(({ title }) => /order/.test(title));
    const status = await status_of(engine);
    assert.equal(about.length, 1);
    assert.ok(status.deduplicated >= 19);
  });
});
