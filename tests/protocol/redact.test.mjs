// `gasoline redact`: what would be masked in a file, and by which rule.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

import { temporary_directory, with_engine } from "./support/engine.mjs";
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

test("keys of providers and secrets of webhooks come out nowhere, used or not", async () => {
  const directory = temporary_directory();
  const own = { variable: "Zk3vQp9sLm2xRt7wYb4n", file: "Hj5wNq8cTg2pVs6yKd3m", hook: "Bm7xLr4fWz9kQc2tGn6v" };
  for (const name of ["file", "hook"])
    writeFileSync(path.join(directory, name), `${own[name]}\n`, { mode: 0o600 });
  const config = path.join(directory, "config.json");
  const key_file = path.join(directory, "file");
  writeFileSync(
    config,
    JSON.stringify({
      ci_secret_files: { github: path.join(directory, "hook") },
      sessions: { providers: { openai: { key_file } } },
    }),
  );
  await with_engine(
    async (engine) => {
      for (const [name, value] of Object.entries(own))
        assert.equal((await engine.post("/logs", exception(`the ${name} is ${value}`))).status, 200);
      const { text } = await engine.observe({ what: "errors" });
      for (const [name, value] of Object.entries(own)) {
        assert.ok(!text.includes(value), name);
        assert.ok(text.includes(`the ${name} is [REDACTED:own-secret]`), text);
      }
    },
    { args: ["--config", config], env: { OPENAI_API_KEY: own.variable } },
  );
});
