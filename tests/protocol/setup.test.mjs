// `gasoline setup` and `gasoline uninstall` in a home of its own.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

import { binary, clean_environment, temporary_directory } from "./support/engine.mjs";

const gasoline = (home, ...args) => {
  const { status, stdout, stderr } = spawnSync(binary, args, {
    env: clean_environment(home),
    encoding: "utf8",
  });
  return { status, stdout, stderr };
};

const write = (home, file, text) => {
  mkdirSync(path.dirname(path.join(home, file)), { recursive: true });
  writeFileSync(path.join(home, file), text);
};

const files_of = (dir) =>
  Object.fromEntries(
    readdirSync(dir, { recursive: true })
      .filter((name) => statSync(path.join(dir, name)).isFile())
      .sort()
      .map((name) => [name, readFileSync(path.join(dir, name), "utf8")]),
  );

const sample_home = () => {
  const home = temporary_directory();
  write(home, ".claude/settings.json", '\ufeff{\r\n  // mine\r\n  "hooks": {},\r\n  "model": "x",\r\n}\r\n');
  write(home, ".claude.json", '{"numStartups":7,"projects":{"/p":{"mcpServers":{"a":{}}}}}');
  write(home, ".codex/config.toml", '# mine\nmodel = "x"\n\n[mcp_servers.other]\ncommand = "y" # z\n');
  write(home, ".gemini/settings.json", '{\n\t"security": {"auth": {"selectedType": "oauth"}}\n}');
  return home;
};

test("--print changes nothing, --write what was shown, a second time nothing", () => {
  const home = sample_home();
  const before = files_of(home);
  const printed = gasoline(home, "setup", "--print");
  assert.equal(printed.status, 0, printed.stderr);
  assert.match(printed.stdout, /Claude Code/);
  assert.match(printed.stdout, /\+ .*hook --client codex --event PostToolUse/);
  assert.deepEqual(files_of(home), before);
  assert.deepEqual(gasoline(home, "setup").status, 0); // nobody to ask: nothing is changed
  assert.deepEqual(files_of(home), before);
  assert.equal(gasoline(home, "setup", "--write").status, 0);
  const written = files_of(home);
  assert.match(written[".claude.json"], /"alwaysLoad":true/);
  assert.match(written[".codex/config.toml"], /command = "y" # z\n\n\[mcp_servers\.gasoline\]\n/);
  assert.equal(JSON.parse(written[".gemini/settings.json"]).hooks.AfterTool[0].hooks[0].timeout, 5000);
  assert.equal(JSON.parse(written[".codex/hooks.json"]).hooks.Stop[0].hooks[0].timeout, 5);
  assert.equal(gasoline(home, "setup", "--write").status, 0);
  assert.deepEqual(files_of(home), written);
  assert.equal(gasoline(home, "uninstall", "--write").status, 0);
  assert.deepEqual(files_of(home), before);
});

test("a file that cannot be understood is left alone, the others are written, the exit code says so", () => {
  const home = sample_home();
  write(home, ".gemini/settings.json", "{ not json");
  const { status, stdout } = gasoline(home, "setup", "claude", "gemini", "--write");
  assert.equal(status, 1);
  assert.match(stdout, /\.gemini\/settings\.json is left alone: line 1/);
  assert.equal(readFileSync(path.join(home, ".gemini/settings.json"), "utf8"), "{ not json");
  assert.match(readFileSync(path.join(home, ".claude.json"), "utf8"), /gasoline/);
});

test("agents that are named are set up where they are not found; others are refused by name", () => {
  const home = temporary_directory();
  const none = gasoline(home, "setup", "--write");
  assert.equal(none.status, 1);
  assert.match(none.stderr, /claude, codex, gemini/);
  assert.match(gasoline(home, "setup", "emacs", "--write").stderr, /emacs is no agent/);
  assert.equal(gasoline(home, "setup", "cline", "opencode", "copilot", "--write").status, 0);
  assert.ok(statSync(path.join(home, ".cline/hooks/PostToolUse")).mode & 0o100);
  assert.match(
    readFileSync(path.join(home, ".config/opencode/plugins/gasoline.js"), "utf8"),
    /tool\.execute\.after/,
  );
  assert.equal(gasoline(home, "uninstall", "cline", "opencode", "copilot", "--write").status, 0);
  assert.deepEqual(Object.keys(files_of(home)), []);
});

test("a configuration of 10 MB is edited and restored", () => {
  const home = temporary_directory();
  const big = JSON.stringify({ history: Array.from({ length: 100_000 }, (_, i) => "x".repeat(90) + i) }, null, 2);
  write(home, ".claude.json", big);
  assert.equal(gasoline(home, "setup", "claude", "--write").status, 0);
  assert.match(readFileSync(path.join(home, ".claude.json"), "utf8"), /"gasoline"/);
  assert.equal(gasoline(home, "uninstall", "claude", "--write").status, 0);
  assert.equal(readFileSync(path.join(home, ".claude.json"), "utf8"), big);
});
