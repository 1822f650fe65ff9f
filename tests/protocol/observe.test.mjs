// What a client reads through tools: sizes, counts, cursors, empty answers, and memory over time.
import assert from "node:assert/strict";
import { test } from "node:test";

import { with_engine } from "./support/engine.mjs";
import { console_entry, exception, word } from "./support/samples.mjs";

const every_what = [
  "errors logs network_waterfall network_bodies websocket_events actions",
  "vitals performance timeline alerts ci page",
].flatMap((names) => names.split(" "));

test("an empty answer says why it is empty and what to do next", async () => {
  await with_engine(async (engine) => {
    for (const what of every_what) {
      const seen = await engine.observe({ what });
      assert.deepEqual([seen.items, seen.count, seen.total], [[], 0, 0], what);
      assert.match(seen.sentence, /^No .+\. .{20,}/, what);
      assert.doesNotMatch(seen.sentence, /[[\]{}]/, "brackets belong to the document");
      assert.equal(seen.cursor, undefined);
      assert.equal(seen.block, undefined);
    }
  });
});

test("500 entries with stacks of 3 KB: the default answer is 8 KB, the cursor leads to all", async () => {
  await with_engine(async (engine) => {
    const frames = (i) =>
      Array.from(
        { length: 40 },
        (_, n) => `    at ${word(n)} (https://app.test/${word(i)}/a/long/path.js:${n}:7)`,
      );
    for (let i = 0; i < 500; i += 50)
      await engine.post("/logs", {
        entries: Array.from({ length: 50 }, (_, n) => ({
          type: "exception",
          level: "error",
          message: `Error: number ${word(i + n)} end`,
          stack: [`Error: number ${word(i + n)}`, ...frames(i + n)].join("\n"),
        })),
      });
    const first = await engine.observe({ what: "errors" });
    assert.ok(Buffer.byteLength(first.text) <= 8192, `${Buffer.byteLength(first.text)} bytes`);
    assert.ok(Buffer.byteLength(first.block) <= 10_240);
    assert.equal(first.total, 500);
    assert.ok(first.count > 0 && first.count === first.items.length);
    assert.match(first.cursor, /\S/);

    const seen = [];
    for (let page = first; ;) {
      seen.push(...page.items.map(({ message }) => message));
      if (!page.cursor) break;
      page = await engine.observe({ what: "errors", cursor: page.cursor, max_bytes: 200_000 });
    }
    assert.equal(seen.length, 500, "each once");
    assert.deepEqual(
      seen,
      Array.from({ length: 500 }, (_, i) => `Error: number ${word(499 - i)} end`),
    );
  });
});

test("60 equal faults: one alert with the count, and no block the second time", async () => {
  await with_engine(async (engine) => {
    for (let i = 0; i < 60; ++i)
      await engine.post("/logs", exception("TypeError: x is not a function"));
    const { block, items } = await engine.observe({ what: "errors" });
    assert.ok(Buffer.byteLength(block) < 4096);
    const alerts = JSON.parse(block.slice(block.indexOf("[")));
    const [fault, ...others] = alerts.filter(({ title }) => /not a function/.test(title));
    assert.equal(fault.count, 60);
    assert.deepEqual(others, []);
    assert.equal(block.split("\n")[0], `--- ALERTS (${alerts.length}) ---`);
    assert.deepEqual([items.length, items[0].count], [1, 60]);
    assert.equal((await engine.observe({ what: "errors" })).block, undefined);
  });
});

test("a client that drops notifications reads all of them through observe", async () => {
  await with_engine(async (engine) => {
    await engine.stream({ streaming_action: "enable", throttle_seconds: 1 });
    for (let i = 0; i < 4; ++i) await engine.post("/logs", exception(`Error: dropped ${word(i)}`));
    const before = await engine.stream({ streaming_action: "status" });
    assert.equal(before.delivery.read, 0);
    const { block } = await engine.observe({ what: "logs" });
    for (let i = 0; i < 4; ++i) assert.ok(block.includes(`dropped ${word(i)}`));
    assert.equal((await engine.stream({ streaming_action: "status" })).delivery.read, 4);
  });
});

test("configure never carries the alert block", async () => {
  await with_engine(async (engine) => {
    await engine.post("/logs", exception("Error: unread"));
    for (const args of [
      { action: "health" },
      { action: "streaming", streaming_action: "status" },
      { action: "noise_rule", noise_action: "list" },
    ])
      assert.equal((await engine.call("configure", args)).content.length, 1);
    assert.match((await engine.observe({ what: "logs" })).block, /unread/);
  });
});

test("clear moves the own position and deletes nothing", async () => {
  await with_engine(async (engine) => {
    await engine.post("/logs", exception("Error: old"));
    await engine.configure({ action: "clear" });
    const cleared = await engine.observe({ what: "errors" });
    assert.deepEqual([cleared.count, cleared.block], [0, undefined]);
    await engine.post("/logs", exception("Error: new"));
    const { items, block } = await engine.observe({ what: "errors" });
    assert.deepEqual(
      items.map(({ message }) => message),
      ["Error: new"],
    );
    assert.match(block, /new/);
    assert.equal((await engine.health()).buffers !== undefined, true);
  });
});

test("filters", async () => {
  await with_engine(async (engine) => {
    await engine.post("/network-bodies", {
      bodies: [200, 404, 500].flatMap((status) =>
        ["a", "b"].map((host) => ({
          url: `https://${host}.test/${status}`,
          method: "GET",
          status,
        })),
      ),
    });
    await engine.post("/logs", {
      entries: ["debug", "log", "info", "warn", "error"].map((level) =>
        console_entry(`as ${level}`, level),
      ),
    });
    const urls = async (more) =>
      (await engine.observe({ what: "network_bodies", ...more })).items
        .map(({ url }) => url)
        .sort();
    assert.deepEqual(await urls({ status_min: 500 }), ["https://a.test/500", "https://b.test/500"]);
    assert.deepEqual(await urls({ url: "a.test", status_min: 400 }), [
      "https://a.test/404",
      "https://a.test/500",
    ]);
    assert.equal((await engine.observe({ what: "logs", min_level: "warn" })).total, 2);
    assert.equal((await engine.observe({ what: "logs", since: "1h" })).total, 5);
    assert.equal((await engine.observe({ what: "logs", since: "2099-01-01T00:00:00Z" })).total, 0);
    assert.equal((await engine.observe({ what: "logs", limit: 2 })).count, 2);
    assert.match((await engine.observe({ what: "logs", colour: "red" })).sentence, /colour/);
  });
});

test("200,000 events: memory reaches a plateau, errors outlive other levels", async () => {
  await with_engine(async (engine) => {
    await engine.post("/logs", { entries: [console_entry("Error: the first fault", "error")] });
    const padding = "p".repeat(150);
    const flood = async (rounds) => {
      for (let i = 0; i < rounds; ++i) {
        const entries = Array.from({ length: 500 }, (_, n) =>
          console_entry(`flood ${word(i)} ${word(n)} ${padding}`),
        );
        assert.equal((await engine.post("/logs", { entries })).status, 200);
      }
      return engine.memory_kb();
    };
    const full = await flood(100);
    const later = await flood(300);
    assert.ok(later - full < 15_000, `grew by ${later - full} kB after the buffers were full`);
    assert.ok(later < 120_000, `${later} kB`);
    const { items } = await engine.observe({ what: "errors" });
    assert.equal(items[0].message, "Error: the first fault");
    const { dropped } = await engine.health();
    assert.ok(dropped.logs > 150_000, JSON.stringify(dropped));
  });
});
