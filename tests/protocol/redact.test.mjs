// `gasoline redact`: what would be masked in a file, and by which rule.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

import { with_engine } from "./support/engine.mjs";
import { exception } from "./support/samples.mjs";

const redact = (input, args = []) =>
  spawnSync(process.env.GASOLINE_BIN, ["redact", ...args], { input, encoding: "utf8" });

test("each mask names the rule that set it, and what surrounds it stays", () => {
  const shown = redact("id,email,password\n1,a@b.test,Rt7bQ9kz\nuser=ann password=hunter2x\n");
  assert.equal(shown.status, 0);
  assert.equal(
    shown.stdout,
    "id,email,password\n1,a@b.test,[REDACTED:table]\nuser=ann password=[REDACTED:key]\n",
  );
  assert.equal(shown.stderr, "key: 1\ntable: 1\n");
});

test("a file without a secret comes back as it is", () => {
  const text = "GET /api/users/7?page=2 500\ntoken_count: 88\n";
  const shown = redact(text);
  assert.equal(shown.stdout, text);
  assert.equal(shown.stderr, "nothing is masked\n");
});

test("characters that are not shown as they are are counted", async () => {
  await with_engine(async (engine) => {
    await engine.port();
    assert.equal((await engine.post("/logs", exception("safe \u202Etxt.exe\u202C \u001b[2J"))).status, 200);
    const { text } = await engine.observe({ what: "errors" });
    assert.ok(text.includes("\\\\u202e"), text);
    assert.ok((await engine.health()).redactor.escapes >= 3);
  });
});

test("the engine's own token comes out nowhere, and masks are counted by rule", async () => {
  await with_engine(
    async (engine) => {
      await engine.port();
      const token = readFileSync(path.join(engine.state_dir, "token"), "utf8").trim();
      const sent = await engine.post("/logs", exception(`loaded ${token}, password=hunter2x`), {
        authorization: `Bearer ${token}`,
      });
      assert.equal(sent.status, 200);
      const { text } = await engine.observe({ what: "errors" });
      assert.ok(!text.includes(token));
      assert.ok(text.includes("loaded [REDACTED:own-secret], password=[REDACTED]"), text);
      const { masks } = (await engine.health()).redactor;
      assert.equal(masks["own-secret"], 1);
      assert.equal(masks.key, 1);
    },
    { args: ["--require-token"] },
  );
});
