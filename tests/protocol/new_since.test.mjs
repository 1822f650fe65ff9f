// observe {since_cursor, max_tokens}: only what is new, errors first, within a budget.
import assert from "node:assert/strict";
import { test } from "node:test";

import { with_engine } from "./support/engine.mjs";
import { exception, word } from "./support/samples.mjs";

const logged = (message) => ({
  entries: [{ level: "info", type: "console", message, url: "http://localhost:3000/" }],
});

test("a cursor leads from one answer to the next, errors first, nothing twice", async () => {
  await with_engine(async (engine) => {
    const ask = (what, since_cursor, more = {}) => engine.observe({ what, since_cursor, ...more });
    const empty = await ask("timeline", "e0");
    assert.match(empty.sentence, /^No new/);
    await engine.post("/logs", exception("Uncaught TypeError: first is not a function"));
    await engine.post("/logs", logged("a quiet line"));
    const first = await ask("timeline", empty.since_cursor);
    assert.equal(first.count, 2);
    assert.match(JSON.stringify(first.items[0]), /first is not/);
    assert.match(JSON.stringify(first.items[1]), /a quiet line/);
    const again = await ask("timeline", first.since_cursor);
    assert.equal(again.count, 0);
    assert.equal(again.since_cursor, first.since_cursor);
    await engine.post("/logs", exception("Uncaught TypeError: second is not a function"));
    const second = await ask("errors", first.since_cursor);
    assert.equal(second.count, 1);
    assert.match(second.text, /second is not/);
    assert.doesNotMatch(second.text, /first is not/);
    // A cursor of an engine of before begins anew.
    assert.equal((await ask("errors", "e99999")).count, 2);
  });
});

test("alerts have a cursor of their own", async () => {
  await with_engine(async (engine) => {
    await engine.post("/network-bodies", {
      bodies: [{ method: "GET", url: "http://localhost:3000/missing", status: 404 }],
    });
    await engine.post("/logs", exception("Uncaught TypeError: worst is not a function"));
    const all = await engine.observe({ what: "alerts", since_cursor: "e0" });
    assert.equal(all.count, 2);
    assert.equal(all.items[0].severity, "error");
    const none = await engine.observe({ what: "alerts", since_cursor: all.since_cursor });
    assert.equal(none.count, 0);
    assert.match(none.sentence, /^No new alerts/);
  });
});

test("max_tokens bounds the whole answer, alerts too", async () => {
  await with_engine(async (engine) => {
    for (let n = 1; n <= 30; ++n)
      await engine.post("/logs", exception(`Uncaught TypeError: ${word(n)} is not a function`));
    for (const max_tokens of [256, 300, 400, 600, 1000]) {
      const result = await engine.call("observe", { what: "errors", since_cursor: "e0", max_tokens });
      const bytes = result.content.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
      assert.ok(bytes <= max_tokens * 4, `${bytes} bytes for ${max_tokens} tokens`);
      assert.match(result.content[0].text, /30 errors since the cursor.*did not fit|30 errors since/);
    }
    // What found no room stays unread.
    const { block } = await engine.observe({ what: "actions" });
    assert.match(block, /^--- ALERTS/);
  });
});

test("wrong cursors and modes without one are refused with what is valid", async () => {
  await with_engine(async (engine) => {
    const refused = async (args) => {
      const result = await engine.call("observe", args);
      assert.equal(result.isError, true, JSON.stringify(args));
      return result.content[0].text;
    };
    assert.match(await refused({ what: "errors", since_cursor: "7x" }), /e0 begins/);
    assert.match(await refused({ what: "errors", since_cursor: "e" }), /e0 begins/);
    assert.match(await refused({ what: "ci", since_cursor: "e0" }), /works with errors/);
    assert.match(await refused({ what: "vitals", since_cursor: "e0" }), /works with errors/);
    assert.match(await refused({ what: "errors", max_tokens: 10 }), /max_tokens/);
  });
});
