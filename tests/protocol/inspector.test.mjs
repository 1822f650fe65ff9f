// The inspector's command line, as someone would use it who has never heard of the engine.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";

import { many_calls, start_daemon } from "./support/daemon.mjs";
import { binary, clean_environment, temporary_directory } from "./support/engine.mjs";

const inspector = fileURLToPath(
  new URL(
    "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js",
    import.meta.url,
  ),
);

let home;
let engine;
let address;

before(async () => {
  home = temporary_directory();
  engine = start_daemon({ config: many_calls });
  address = (await engine.address()).href;
});
after(async () => {
  await engine.stop();
  rmSync(home, { recursive: true, force: true });
});

const targets = {
  stdio: () => [binary, "mcp", "--port", "0", "--state-dir", temporary_state()],
  http: () => ["--transport", "http", "--server-url", address],
  sse: () => ["--transport", "sse", "--server-url", `${address}/sse`],
};

const states = [];
const temporary_state = () => {
  states.push(temporary_directory());
  return states.at(-1);
};
after(() => states.forEach((state) => rmSync(state, { recursive: true, force: true })));

const inspect = async (target, era, method, ...options) => {
  const child = spawn(
    process.execPath,
    [
      inspector,
      "--cli",
      "--protocol-era",
      era,
      "--method",
      method,
      ...options,
      "--format",
      "json",
      ...targets[target](),
    ],
    { env: clean_environment(home), cwd: home, stdio: ["ignore", "pipe", "pipe"] },
  );
  const out = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"]) child[name].on("data", (chunk) => (out[name] += chunk));
  const [code] = await once(child, "close");
  return { code, ...out };
};

const inspected = async (...args) => {
  const { code, stdout, stderr } = await inspect(...args);
  assert.equal(code, 0, stderr + stdout);
  return JSON.parse(stdout).result;
};

for (const [target, era] of [
  ["stdio", "legacy"],
  ["stdio", "modern"],
  ["stdio", "auto"],
  ["http", "legacy"],
  ["http", "modern"],
  ["http", "auto"],
  ["sse", "legacy"],
])
  describe(`${era} over ${target}`, () => {
    const run = (...args) => inspected(target, era, ...args);

    test("the server introduces itself", async () => {
      const told = JSON.stringify(await run("initialize"));
      assert.match(told, /gasoline/);
      if (era !== "auto")
        assert.match(told, era === "modern" ? /2026-07-28/ : /2024-11-05|2025-11-25/);
    });

    test("tools", async () => {
      const { tools } = await run("tools/list");
      assert.ok(tools.some(({ name }) => name === "observe"));
      const health = await run(
        "tools/call",
        "--tool-name",
        "configure",
        "--tool-arg",
        "action=health",
      );
      assert.ok(JSON.parse(health.content[0].text).pid > 0);
      const unknown = await inspect(target, era, "tools/call", "--tool-name", "nope");
      assert.equal(unknown.code, 5, unknown.stderr);
      const wrong = await inspect(
        target,
        era,
        "tools/call",
        "--tool-name",
        "observe",
        "--tool-arg",
        "what=eror",
      );
      assert.equal(wrong.code, 5);
      assert.match(JSON.parse(wrong.stdout).result.content[0].text, /errors, logs/);
    });

    test("resources", async () => {
      const { resources } = await run("resources/list");
      assert.ok(resources.some(({ uri }) => uri === "gasoline://guide"));
      const { contents } = await run("resources/read", "--uri", "gasoline://guide");
      assert.match(contents[0].text, /streaming/);
      assert.ok((await run("resources/templates/list")).resourceTemplates);
    });

    test("prompts", async () => {
      const { prompts } = await run("prompts/list");
      assert.ok(prompts.some(({ name }) => name === "triage"));
      const { messages } = await run("prompts/get", "--prompt-name", "triage");
      assert.ok(messages[0].content.text.length > 0);
    });

    if (era === "legacy")
      test("logging", async () => {
        await run("logging/setLevel", "--log-level", "warning");
      });
  });
