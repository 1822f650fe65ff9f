// Bodies that are decoded and redacted beside the thread of the sockets: each is answered for
// itself, in order, with nothing lost and no secret shown.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { with_engine } from "./support/engine.mjs";

const secret = (name, n) => `ghp_${name}${String(n).padStart(8, "0")}${"k".repeat(27)}`;

// `count` entries of one sender, each with a token of its own and, the last, a fault.
const body_of = (name, count) => ({
  entries: Array.from({ length: count }, (_, n) => ({
    level: n === count - 1 ? "error" : "info",
    type: "console",
    message: `${name} step ${n} with ${secret(name, n)}`,
    url: `http://localhost:3000/${name}`,
  })),
});

const posted = (engine, body) =>
  engine.post("/logs", body, { origin: "http://localhost:3000", "content-type": "application/json" });

const threads_of = (pid) =>
  Number(/^Threads:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))[1]);

test("large bodies side by side: each answer is its own, each order is kept", async () => {
  await with_engine(async (engine) => {
    const names = ["a", "b", "c", "d"];
    const count = 6000;
    const broken = `${JSON.stringify(body_of("e", count)).slice(0, -20)}`;
    const [refused, ...taken] = await Promise.all([
      posted(engine, broken),
      ...names.map((name, i) => posted(engine, body_of(name, count + i))),
    ]);
    assert.equal(refused.status, 400, refused.text);
    assert.match(refused.json.error, /not valid JSON/);
    for (const [i, { status, json, text }] of taken.entries()) {
      assert.equal(status, 200, text);
      assert.deepEqual(json, { received: count + i, rejected: 0, entries: count + i });
    }
    const { redactor, ingest } = await engine.health();
    assert.equal(redactor.events, 4 * count + 6);
    assert.equal(redactor.masks["github-token"] ?? redactor.masks.github_token, 4 * count + 6);
    assert.equal(ingest.backlog_bytes, 0);

    const seen = await engine.observe({ what: "logs", limit: 100, detail: "full" });
    assert.ok(!JSON.stringify(seen).includes("ghp_"), JSON.stringify(seen).slice(0, 400));
    for (const name of names) {
      const steps = seen.items
        .map(({ message }) => new RegExp(`^${name} step (\\d+) `).exec(message)?.[1])
        .filter((step) => step !== undefined)
        .map(Number);
      assert.deepEqual(
        steps,
        [...steps].sort((one, other) => other - one),
        `newest first: ${steps}`,
      );
    }
    const { items } = await engine.observe({ what: "errors", limit: 10 });
    assert.equal(items.length, 4, JSON.stringify(items));
  });
});

test("small bodies wake no thread, and the threads of large ones are few", async () => {
  await with_engine(async (engine) => {
    const before = threads_of(engine.pid);
    for (let i = 0; i < 20; i += 1) await posted(engine, body_of("small", 5));
    assert.ok(threads_of(engine.pid) <= before);
    await Promise.all(Array.from({ length: 16 }, (_, i) => posted(engine, body_of(`l${i}`, 2000))));
    const more = threads_of(engine.pid) - before;
    assert.ok(more > 0 && more <= 8, `${more} more`);
  });
});

test("an end in the middle of large bodies is in order and soon", async () => {
  await with_engine(async (engine) => {
    const posts = Array.from({ length: 4 }, () =>
      posted(engine, body_of("end", 20_000)).catch(() => undefined),
    );
    await engine.post("/logs", { entries: [{ level: "info", message: "between" }] });
    await engine.stop(); // which holds that the end is clean
    await Promise.all(posts);
  });
});
