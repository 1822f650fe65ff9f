// `gasoline setup` and `gasoline uninstall` in a home of its own.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
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

test("the project in the working directory names what is its own, and forgets it again", () => {
  const home = temporary_directory();
  const before = '{\n  // mine\n  "name": "shop",\n}\n';
  write(home, "shop/.gasoline.json", before);
  const in_shop = (...args) =>
    spawnSync(binary, args, {
      env: clean_environment(home),
      cwd: path.join(home, "shop"),
      encoding: "utf8",
    });
  const none = in_shop("setup", "project", "--write");
  assert.equal(none.status, 1);
  assert.match(none.stderr, /--origin http:\/\/localhost:3000/);
  const set = in_shop("setup", "--origin", "http://localhost:3000", "--ci", "jenkins", "--write");
  assert.equal(set.status, 0, set.stderr);
  const text = readFileSync(path.join(home, "shop/.gasoline.json"), "utf8");
  assert.match(text, /\/\/ mine/);
  assert.match(text, /"origins": ?\[\s*"http:\/\/localhost:3000"\s*\]/);
  assert.match(text, /"ci"/);
  assert.equal(in_shop("uninstall", "project", "--write").status, 0);
  assert.equal(readFileSync(path.join(home, "shop/.gasoline.json"), "utf8"), before);
});

test("whatever a configuration is, setup and uninstall end soon and lose none of it", () => {
  const texts = {
    empty: "",
    blank: " \n\t\n",
    "a mark alone": "\ufeff",
    "a mark and a comment": '\ufeff// mine\n{"a": 1, /* x */ "b": [1, 2,],}\n',
    "keys that come twice": '{"mcpServers": {"a": 1}, "mcpServers": {"b": 2}}\n',
    "our key twice": '{"mcpServers": {"gasoline": 1, "gasoline": 2}}\n',
    list: "[]\n",
    number: "7\n",
    truncated: '{"mcpServers": {"a": ',
    "no text": Buffer.from([0x7b, 0x00, 0xff, 0xfe, 0x7d]),
    deep: `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`,
    "other types": '{"mcpServers": [], "hooks": 7, "permissions": null}\n',
  };
  for (const [what, text] of Object.entries(texts)) {
    const home = temporary_directory();
    for (const file of [".claude.json", ".claude/settings.json"]) write(home, file, text);
    const before = files_of(home);
    const set = gasoline(home, "setup", "claude", "--write");
    assert.ok(set.status === 0 || set.status === 1, `${what}: ${set.status} ${set.stderr}`);
    if (set.status === 1) assert.match(set.stdout, /is left alone: /, what);
    const taken_back = gasoline(home, "uninstall", "claude", "--write");
    assert.ok(taken_back.status === 0 || taken_back.status === 1, what);
    const after = files_of(home);
    for (const [file, content] of Object.entries(before))
      assert.equal(after[file], content, `${what}: ${file}`);
  }
});

test("TOML in whatever shape is set up once and restored byte by byte, or left alone", () => {
  const texts = {
    "dotted keys": 'model = "x"\nmcp_servers.other.command = "y"\n',
    "blanks in a header": '[ mcp_servers . other ]\ncommand = "y"\n',
    "our name, quoted": '[mcp_servers."gasoline"]\ncommand = "mine"\n',
    "our header within a text": 'text = """\n[mcp_servers.gasoline]\n"""\n[a]\nb=1',
    "our header within a literal": "text = \'\'\'\n[mcp_servers.gasoline]\n\'\'\'\n",
    "CRLF": 'model = "x"\r\n\r\n[a]\r\nb = 1\r\n',
    "no end of the last line": "[a]\nb = 1",
    "a mark": '\ufeffmodel = "x"\n',
    "an array of tables": "[[x]]\na=1\n[[x]]\na=2\n",
    "arrays over lines": 'b = [ [1, 2], ["x", # c\n "y"] ]\nc = { d.e = 1 }\n',
    "an inline table": 'mcp_servers = { other = { command = "y" } }\n',
    "ours inline": '[mcp_servers]\ngasoline = { command = "y" }\n',
    "no TOML": "[a\nb=1",
  };
  const alone = ["an inline table", "ours inline", "no TOML"];
  for (const [what, text] of Object.entries(texts)) {
    const home = temporary_directory();
    write(home, ".codex/config.toml", text);
    const read = () => readFileSync(path.join(home, ".codex/config.toml"), "utf8");
    assert.equal(gasoline(home, "setup", "codex", "--write").status, alone.includes(what) ? 1 : 0, what);
    const set = read();
    if (alone.includes(what)) assert.equal(set, text, what);
    else assert.match(set, /\[mcp_servers\.("?)gasoline\1\]\r?\n(args|command) = /, what);
    gasoline(home, "setup", "codex", "--write");
    assert.equal(read(), set, `${what}: a second time`);
    gasoline(home, "uninstall", "codex", "--write");
    assert.deepEqual(files_of(home), { ".codex/config.toml": text }, what);
  }
});

test("what its user has put beside ours stays, and what setup has made goes", () => {
  const home = temporary_directory();
  write(home, ".claude/settings.json", '{"model": "x"}');
  assert.equal(gasoline(home, "setup", "claude", "cursor", "--write").status, 0);
  const change = (file, edit) => {
    const document = JSON.parse(readFileSync(path.join(home, file), "utf8"));
    edit(document);
    write(home, file, JSON.stringify(document, null, 2));
  };
  const theirs = { type: "command", command: "say done" };
  change(".claude/settings.json", ({ hooks }) => hooks.Stop[0].hooks.push(theirs));
  change(".claude.json", ({ mcpServers }) => mcpServers.gasoline.args.push("--channel"));
  const changed = files_of(home);
  assert.equal(gasoline(home, "setup", "claude", "--write").status, 0);
  assert.deepEqual(files_of(home), changed);
  assert.equal(gasoline(home, "uninstall", "claude", "cursor", "--write").status, 0);
  const { hooks, ...rest } = JSON.parse(readFileSync(path.join(home, ".claude/settings.json"), "utf8"));
  assert.deepEqual(rest, { model: "x" });
  assert.deepEqual(hooks, { Stop: [{ hooks: [theirs] }] });
  assert.deepEqual(readdirSync(home), [".claude"]);
});

test("links stay links, and what lies in the way is told", () => {
  const home = temporary_directory();
  write(home, "dotfiles/claude.json", '{"mine": true}\n');
  symlinkSync("dotfiles/claude.json", path.join(home, ".claude.json"));
  mkdirSync(path.join(home, ".claude"));
  symlinkSync("nowhere/settings.json", path.join(home, ".claude/settings.json"));
  assert.equal(gasoline(home, "setup", "claude", "--write").status, 0);
  assert.ok(lstatSync(path.join(home, ".claude.json")).isSymbolicLink());
  assert.match(readFileSync(path.join(home, "dotfiles/claude.json"), "utf8"), /"gasoline"/);
  assert.ok(lstatSync(path.join(home, ".claude/settings.json")).isSymbolicLink());
  assert.equal(gasoline(home, "uninstall", "claude", "--write").status, 0);
  assert.equal(readFileSync(path.join(home, "dotfiles/claude.json"), "utf8"), '{"mine": true}\n');

  const blocked = temporary_directory();
  write(blocked, ".claude", "a file where a directory should be");
  mkdirSync(path.join(blocked, ".claude.json"));
  spawnSync("mkfifo", [path.join(blocked, ".gemini-pipe")]);
  mkdirSync(path.join(blocked, ".gemini"));
  spawnSync("mkfifo", [path.join(blocked, ".gemini/settings.json")]);
  const told = gasoline(blocked, "setup", "claude", "gemini", "--write");
  assert.equal(told.status, 1);
  assert.match(told.stdout, /\.claude\.json is left alone: it is no regular file/);
  assert.match(told.stdout, /\.gemini\/settings\.json is left alone: it is no regular file/);
});

test("no home, and one that cannot be written", { skip: process.getuid() === 0 && "root may write all" }, () => {
  const home = sample_home();
  chmodSync(home, 0o555);
  chmodSync(path.join(home, ".claude"), 0o555);
  try {
    const { status, stderr } = gasoline(home, "setup", "claude", "--write");
    assert.equal(status, 1);
    assert.match(stderr, /cannot be written/);
  } finally {
    chmodSync(path.join(home, ".claude"), 0o755);
    chmodSync(home, 0o755);
  }
});

test("without HOME setup says what is missing", () => {
  const { status, stderr } = spawnSync(binary, ["setup", "claude", "--print"], {
    env: { PATH: process.env.PATH },
    encoding: "utf8",
  });
  assert.equal(status, 1);
  assert.match(stderr, /HOME is not set/);
});
