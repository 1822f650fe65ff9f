// What the process inherits from whoever starts it, what it ends with, and what its command line says.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

import { binary, clean_environment, engine_client, temporary_directory } from "./support/engine.mjs";
import { pause_process } from "./support/paused_process.mjs";

// `script` is for bash and ends in an exec of "$@", which is the program with these arguments.
const start_by_shell = (script, args, directory) => {
  const child = spawn(
    "bash",
    ["-c", script, "bash", binary, ...args, "--port", "0", "--state-dir", directory],
    { env: clean_environment(directory), cwd: directory },
  );
  return new engine_client(child, directory, false);
};

const with_directory = async (use) => {
  const directory = temporary_directory();
  const started = [];
  const start = (script, args) => {
    const client = start_by_shell(script, args, directory);
    started.push(client);
    return client;
  };
  try {
    await use({ directory, start });
  } finally {
    for (const { child } of started) child.kill("SIGKILL");
    rmSync(directory, { recursive: true, force: true });
  }
};

const run = (args, options = {}) => {
  const directory = temporary_directory();
  return spawnSync(binary, args, {
    encoding: "utf8",
    env: clean_environment(directory),
    cwd: directory,
    ...options,
  });
};

for (const closed of ["2>&-", ">&- 2>&-", "<&- >&- 2>&-"])
  test(`an engine that is started with ${closed} keeps its files apart from its descriptors`, async () => {
    await with_directory(async ({ directory, start }) => {
      const engine = start(`exec "$@" ${closed}`, ["serve", "--log-level", "trace"]);
      await engine.port();
      const lock = readFileSync(path.join(directory, "engine.lock"), "utf8");
      assert.equal(lock, `${engine.pid}\n${path.join(directory, "engine.sock")}\n`);
      assert.equal(readlinkSync(`/proc/${engine.pid}/fd/2`), "/dev/null");
      const second = start('exec "$@"', ["mcp"]);
      await second.initialize();
      assert.equal((await second.health()).pid, engine.pid, second.stderr);
      assert.equal(readFileSync(path.join(directory, "engine.lock"), "utf8"), lock);
      second.child.stdin.end();
      assert.deepEqual(await second.end(), { code: 0, signal: null });
      engine.child.kill("SIGTERM");
      assert.deepEqual(await engine.end(), { code: 0, signal: null });
    });
  });

test("a stdio engine whose stdout is closed writes the protocol nowhere", async () => {
  await with_directory(async ({ directory, start }) => {
    const engine = start('exec "$@" >&-', ["mcp"]);
    await engine.port();
    assert.equal(readlinkSync(`/proc/${engine.pid}/fd/1`), "/dev/null");
    engine.send({ jsonrpc: "2.0", id: 1, method: "ping" });
    engine.child.stdin.end();
    assert.deepEqual(await engine.end(), { code: 0, signal: null });
    for (const file of ["engine.lock", "gasoline.log"])
      assert.doesNotMatch(readFileSync(path.join(directory, file), "utf8"), /jsonrpc/);
  });
});

for (const signal of ["HUP", "INT", "TERM"])
  test(`SIG${signal} that was ignored at the start stays ignored, in the engine and in a pump`, async () => {
    await with_directory(async ({ start }) => {
      const engine = start(`trap "" ${signal}; exec "$@"`, ["serve"]);
      await engine.port();
      const pump = start(`trap "" ${signal}; exec "$@"`, ["mcp"]);
      await pump.initialize();
      assert.equal((await pump.health()).pid, engine.pid);
      for (const { child } of [engine, pump]) child.kill(`SIG${signal}`);
      for (let i = 0; i < 5; ++i) await pump.assert_alive();
      assert.equal((await pump.health()).pid, engine.pid);
      assert.equal(engine.child.exitCode, null);
      pump.child.stdin.end();
      assert.deepEqual(await pump.end(), { code: 0, signal: null });
      engine.child.kill(signal === "TERM" ? "SIGHUP" : "SIGTERM");
      assert.deepEqual(await engine.end(), { code: 0, signal: null });
    });
  });

test("without a command the help is shown", () => {
  for (const args of [[], ["tail"]]) {
    const { status, stdout, stderr } = run(args);
    assert.equal(status, 2);
    assert.equal(stdout, "");
    assert.match(stderr, /^Usage: gasoline/m);
    assert.match(stderr, args.length ? /alerts/ : /serve[^]*doctor/);
  }
});

for (const [words, named] of [
  [["frobnicate"], undefined],
  [["serv"], "gasoline serve"],
  [["sevre"], "gasoline serve"],
  [["docter", "--port", "1"], "gasoline doctor"],
  [["pubish", "orders", "{}"], "gasoline publish"],
  [["MCP"], undefined],
  [["tail", "alert"], "gasoline tail alerts"],
  [["tail", "sesion", "x"], "gasoline tail session"],
  [["x".repeat(100_000)], undefined],
])
  test(`an unknown command is named, and the nearest one: ${words.join(" ").slice(0, 40)}`, () => {
    const { status, stdout, stderr } = run(words);
    assert.equal(status, 2);
    assert.equal(stdout, "");
    const wrong = words[0] === "tail" ? words[1] : words[0];
    assert.ok(stderr.startsWith(`gasoline: '${wrong.slice(0, 40)}' is no command of `), stderr);
    if (named) assert.ok(stderr.includes(`Did you mean \`${named}\`?`), stderr);
    else assert.doesNotMatch(stderr, /Did you mean/);
    assert.match(stderr, /^Usage: gasoline/m);
  });

test("options of a known command are judged as before", () => {
  assert.match(run(["serve", "--prot", "1"]).stderr, /--prot/);
  assert.equal(run(["--help"]).status, 0);
  assert.equal(run(["tail", "--help"]).status, 0);
});

test("doctor is one screen that says what is wrong; --limits lists the limits", async () => {
  await with_directory(async ({ directory, start }) => {
    const file = path.join(directory, "config.json");
    writeFileSync(file, JSON.stringify({ limits: { json_depth: 100 } }));
    const doctor = (...more) =>
      run(["doctor", "--port", "0", "--state-dir", directory, "--config", file, ...more]);
    const absent = doctor();
    assert.equal(absent.status, 1);
    assert.match(absent.stdout, /^engine: +not running$/m);
    assert.match(absent.stdout, /^wrong: +No engine runs\. Start one with `gasoline serve`/m);

    const engine = start('exec "$@"', ["serve"]);
    await engine.port();
    for (let i = 0; i < 8; ++i)
      await engine.http({
        method: "POST",
        path: "/mcp",
        headers: { Accept: "application/json, text/event-stream" },
        body: {
          jsonrpc: "2.0",
          id: 1,
          method: "initialize",
          params: {
            protocolVersion: "2025-06-18",
            capabilities: {},
            clientInfo: { name: `client ${i}`, version: "1" },
          },
        },
      });
    const present = doctor();
    assert.equal(present.status, 0, present.stdout);
    assert.match(present.stdout, new RegExp(`^engine: +running, pid ${engine.pid}\\b`, "m"));
    assert.match(present.stdout, /^client: +and 3 more$/m);
    assert.match(present.stdout, /^limits: +json_depth = 100, others as built in/m);
    assert.match(present.stdout, /^note: +No telemetry has arrived/m);
    assert.match(present.stdout, /^wrong: +nothing$/m);
    assert.ok(present.stdout.split("\n").length <= 25, present.stdout);

    await pause_process(engine.pid);
    const silent = doctor();
    process.kill(engine.pid, "SIGCONT");
    assert.equal(silent.status, 1);
    assert.match(silent.stdout, new RegExp(`process ${engine.pid} does not answer.*kill ${engine.pid}`));

    const all = doctor("--limits");
    assert.equal(all.status, 0);
    assert.match(all.stdout, /^json_depth = 100$/m);
    assert.ok(all.stdout.split("\n").length > 140);
    assert.doesNotMatch(all.stdout, /engine:/);
  });
});

const wrong_values = [
  [{ state_dir: null }, /state_dir must be the path of a directory as a text, not null/],
  [{ state_dir: { a: 1 } }, /state_dir must be .*not \{"a":1\}/],
  [{ state_dir: "" }, /state_dir must be .*not ""/],
  [{ state_dir: 7 }, /state_dir must be .*not 7/],
  [{ token_file: ["a"] }, /token_file must be the path of a file .*not \["a"\]/],
  [{ token_file: "" }, /token_file must be/],
  [{ host: 127 }, /host must be 127\.0\.0\.1 or ::1 as a text, not 127/],
  [{ host: null }, /host must be .*not null/],
  [{ log_level: true }, /log_level must be one of trace, .*not true/],
  [{ port: "7890" }, /port must be a whole number from 0 .*not "7890"/],
  [{ port: null }, /port must be .*not null/],
  [{ port: 80.5 }, /port must be .*not 80\.5/],
  [{ port: -1 }, /port must be .*not -1/],
  [{ toolsets: [] }, /toolsets names no toolset.*core, streams, compat/],
  [{ toolsets: "" }, /toolsets names no toolset/],
  [{ toolsets: [1] }, /toolsets must be a list of core, streams, compat, not \[1\]/],
  [{ toolsets: { core: true } }, /toolsets must be a list .*not \{"core":true\}/],
  [{ toolsets: null }, /toolsets must be .*not null/],
  [{ toolsets: ["core", "coer"] }, /toolsets: 'coer' is not valid; use one of core/],
  [{ require_token: "yes" }, /require_token: "yes" is not valid; use true or false/],
  [
    { budgets: [{ metric: "lcp", limit: 2500, page: 5 }] },
    /budgets\[0\]\.page must be an RE2 expression as a text, not 5/,
  ],
  [
    { budgets: [{ metric: "lcp", limit: 1 }, { metric: "lcp", limit: 1, pages: "/a" }] },
    /budgets\[1\]\.pages is no setting; known are metric, page, limit/,
  ],
  [{ budgets: [{ metric: "lcp", limit: "2500" }] }, /budgets\[0\]: a budget is .*not \{/],
  [{ budgets: [{ metric: "lcp", limit: 0 }] }, /budgets\[0\]: .*above 0, not 0/],
  [{ budgets: {} }, /budgets must be a list, not \{\}/],
  [{ redaction_rules: [{ name: "a", pattern: 1 }] }, /redaction_rules\[0\]: a redaction rule is/],
  [{ redaction_rules: [null] }, /redaction_rules\[0\]: .*not null/],
  [{ sessions: [] }, /sessions must be an object .*not \[\]/],
  [{ sessions: { allow_shell: "true" } }, /sessions\.allow_shell: "true" is not valid/],
  [{ sessions: { providers: 1 } }, /sessions\.providers must be an object .*not 1/],
  [
    { sessions: { providers: { openai: { base_url: 1 } } } },
    /sessions\.providers\.openai\.base_url must be a URL as a text, not 1/,
  ],
  [
    { sessions: { providers: { openai: { key_file: {} } } } },
    /sessions\.providers\.openai\.key_file must be .*not \{\}/,
  ],
  [{ streams: null }, /streams must be .*not null/],
  [{ alerts: true }, /alerts must be .*not true/],
  [{ nats: { credentials_file: 1 } }, /nats\.credentials_file must be .*not 1/],
  [{ limits: [] }, /limits must be an object of names and numbers, not \[\]/],
  [{ limits: { json_depth: "100" } }, /limits\.json_depth must be a whole number .*not "100"/],
  [{ limits: { json_depth: null } }, /limits\.json_depth must be .*not null/],
  [{ limits: { json_depth: 1.5 } }, /limits\.json_depth must be .*not 1\.5/],
  ['{"limits":{"json_depth":100},"port":0,"limits":{"session_count":5}}', /limits is given twice/],
  ['{"limits":{"json_depth":100,"json_depth":101}}', /limits\.json_depth is given twice/],
  ['{"budgets":[{"metric":"lcp","metric":"cls","limit":1}]}', /budgets\.metric is given twice/],
  [`{"budgets":${"[".repeat(100_000)}${"]".repeat(100_000)}}`, /nests deeper than any setting/],
];

test("a value of the wrong type is refused with its key, its value and what is valid", () => {
  const directory = temporary_directory();
  const file = path.join(directory, "config.json");
  for (const [config, sentence] of wrong_values) {
    const text = typeof config === "string" ? config : JSON.stringify(config);
    writeFileSync(file, text);
    const { status, stderr } = run(["doctor", "--config", file], { cwd: directory });
    assert.equal(status, 2, `${text.slice(0, 200)}: ${stderr}`);
    assert.match(stderr, sentence, text.slice(0, 200));
    assert.ok(stderr.includes("config.json"), "the file is named");
    assert.ok(stderr.length < 600, `${stderr.length} bytes`);
  }
});

test("names in an environment variable and flags are checked alike", () => {
  assert.match(run(["serve", "--toolsets", ""]).stderr, /--toolsets names no toolset/);
  assert.match(run(["doctor", "--state-dir", ""]).stderr, /--state-dir names no directory/);
});
