// Large analyses of all clients take turns: what does not fit is refused with a sentence, and nothing is lost.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

import { temporary_directory, with_engine } from "./support/engine.mjs";

const entries = (count) =>
  Array.from({ length: count }, (_, i) => ({
    level: i % 3 ? "info" : "error",
    message: `row ${i % 50} failed`,
    url: `http://localhost:3000/page${i % 7}`,
    page_id: `d${i % 5}`,
  }));

test("of thirty analyses at once one is done after the other, and those that find no place are told so", async () => {
  const directory = temporary_directory();
  const config = path.join(directory, "config.json");
  writeFileSync(config, JSON.stringify({ limits: { analyses_waiting: 2, client_unhandled_frames: 64 } }));
  const check = async (engine) => {
    for (let i = 0; i < 5; ++i) await engine.post("/logs", { entries: entries(1000) });
    const asked = Array.from({ length: 30 }, () => engine.call("analyze", { what: "errors" }));
    const answers = await Promise.all(asked);
    const refused = answers.filter(({ isError }) => isError);
    const done = answers.filter(({ isError }) => !isError);
    for (const { content } of refused) assert.match(content[0].text, /^Too many analyses wait .* ask again/);
    for (const { content } of done) assert.match(content[0].text, /^\d+ faults?, \d+ occurrences?/);
    assert.ok(done.length >= 2, "those that found a place were not done");
    const { analyses } = await engine.health();
    assert.deepEqual(analyses, { waiting: 0, done: done.length, refused: refused.length });
  };
  await with_engine(check, { args: ["--config", config] });
});
