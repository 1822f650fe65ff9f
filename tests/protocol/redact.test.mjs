// `gasoline redact`: what would be masked in a file, and by which rule.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";

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
