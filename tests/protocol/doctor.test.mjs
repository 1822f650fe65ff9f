// `gasoline doctor`: what it looks at, what it says to do, and the exit code.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { test } from "node:test";

import { binary, clean_environment, temporary_directory, with_engine } from "./support/engine.mjs";
import { exception } from "./support/samples.mjs";

const run = (home, ...args) =>
  spawnSync(binary, args, { env: clean_environment(home), encoding: "utf8" });

const doctor = (engine, home = engine.state_dir) => {
  const args = ["doctor", "--state-dir", engine.state_dir];
  const { status, stdout } = run(home, ...args);
  assert.ok(stdout.split("\n").length <= 40, stdout);
  const told = run(home, ...args, "--json");
  const json = JSON.parse(told.stdout);
  assert.equal(json.ok, told.status === 0);
  assert.equal(told.status, status, `${stdout}${told.stdout}`);
  return { status, text: stdout, json };
};

const values = ({ json }, name) =>
  json.checks.filter((check) => check.name === name).map((check) => check.value);
const findings = ({ json }, kind) =>
  json.findings.filter((found) => found.kind === kind).map((found) => found.sentence);

test("a running engine is well: program, port, socket, engine, sources, conversations", async () => {
  await with_engine(async (engine) => {
    await engine.port(); // everything is open by then
    const quiet = doctor(engine);
    assert.equal(quiet.status, 0, quiet.text);
    assert.match(quiet.text, /^note: +No telemetry has arrived/m);
    assert.match(quiet.text, /^wrong: +nothing$/m);
    assert.match(values(quiet, "program")[0], /gasoline, version \d/);
    assert.match(values(quiet, "port")[0], new RegExp(`held by .*\\(pid ${engine.pid}\\)`));
    assert.match(values(quiet, "engine")[0], new RegExp(`^running, pid ${engine.pid}\\b`));
    await engine.post("/logs", exception("Uncaught TypeError: doctor is not a function"));
    await engine.stream({ streaming_action: "status" });
    const busy = doctor(engine);
    assert.equal(busy.status, 0, busy.text);
    assert.match(values(busy, "last event")[0], /^logs 20/);
    assert.match(values(busy, "alerts")[0], /raised 1, shown 0, pending 1$/);
    assert.match(findings(busy, "note").join("\n"), /1 alerts wait.*gasoline setup/);
    await engine.observe({ what: "errors" });
    const read = doctor(engine);
    assert.match(values(read, "alerts")[0], /shown by block 1, pending 0$/);
  });
});

test("what is wrong makes the exit code 1 and says what to do", async () => {
  const home = temporary_directory();
  const absent = doctor({ state_dir: home });
  assert.equal(absent.status, 1);
  assert.match(findings(absent, "wrong")[0], /No engine runs\. Start one with `gasoline serve`/);
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  const taken = run(home, "doctor", "--state-dir", home, "--port", String(port));
  server.close();
  assert.equal(taken.status, 1);
  assert.match(taken.stdout, /Port \d+ is held by node.*--port/);
  await with_engine(async (engine) => {
    await engine.port(); // everything is open by then
    const socket = path.join(engine.state_dir, "engine.sock");
    chmodSync(socket, 0o666);
    assert.match(findings(doctor(engine), "wrong")[0], /open to other users.*chmod 600/);
    rmSync(socket);
    const gone = doctor(engine);
    assert.equal(gone.status, 1);
    assert.match(findings(gone, "wrong")[0], /socket is gone.*End the engine/);
    assert.match(values(gone, "engine")[0], /^running/); // asked over HTTP
  });
});

test("agents: set up, fired, changed, unreadable, hooks without server", async () => {
  await with_engine(async (engine) => {
    await engine.port(); // everything is open by then
    const home = temporary_directory();
    for (const dir of [".claude", ".qwen", ".gemini", ".cursor"]) mkdirSync(path.join(home, dir));
    const none = doctor(engine, home);
    assert.equal(none.status, 0, none.text);
    assert.match(findings(none, "note").join("\n"), /not set up: claude, gemini, qwen, cursor/);

    const setup = (...args) => run(home, "setup", ...args, "--write", "--state-dir", engine.state_dir);
    assert.equal(setup("claude", "qwen", "gemini").status, 0);
    const installed = doctor(engine, home);
    assert.equal(installed.status, 0, installed.text);
    assert.match(values(installed, "agent")[0], /^Claude Code: server entry, hooks, none fired/);
    assert.equal(values(installed, "agent").length, 3);

    const hook = spawn(
      binary,
      ["hook", "--client", "claude", "--event", "PostToolBatch", "--state-dir", engine.state_dir],
      { env: clean_environment(home) },
    );
    hook.stdin.end(JSON.stringify({ session_id: "c1", cwd: home }));
    await once(hook, "close");
    assert.match(values(doctor(engine, home), "agent")[0], /hooks, last fired \d+ s ago$/);

    const file = path.join(home, ".qwen/settings.json");
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replace("--event UserPromptSubmit", "--event Other"));
    const changed = doctor(engine, home);
    assert.equal(changed.status, 1);
    assert.match(findings(changed, "wrong")[0], /hooks of Qwen Code.*gasoline setup qwen/);
    writeFileSync(file, text.replace('"gasoline": {', '"other": {'));
    assert.match(findings(doctor(engine, home), "wrong")[0], /no server entry.*setup qwen/);
    writeFileSync(file, "{ not json");
    assert.match(findings(doctor(engine, home), "wrong")[0], /Qwen Code: .*left alone/);
  });
});

test("hooks of Codex count as installed only once they are trusted", async () => {
  await with_engine(async (engine) => {
    await engine.port(); // everything is open by then
    const home = temporary_directory();
    mkdirSync(path.join(home, ".codex"));
    run(home, "setup", "codex", "--write", "--state-dir", engine.state_dir);
    const before = doctor(engine, home);
    assert.equal(before.status, 1);
    assert.match(
      findings(before, "wrong")[0],
      /not trusted \(PostToolUse, SessionStart, Stop, UserPromptSubmit\): type \/hooks/,
    );
    const config = path.join(home, ".codex/config.toml");
    const state = ["post_tool_use", "user_prompt_submit", "session_start", "stop"].map(
      (event) =>
        `[hooks.state."${home}/.codex/hooks.json:${event}:0:0"]\ntrusted_hash = "sha256:00"\n`,
    );
    writeFileSync(config, `${readFileSync(config, "utf8")}\n${state.join("\n")}`);
    assert.match(findings(doctor(engine, home), "wrong")[0], /have changed since you trusted them/);
  });
});

test("origins that were refused are told with what lets them in", async () => {
  await with_engine(async (engine) => {
    const foreign = { Origin: "https://shop.example" };
    const { status } = await engine.post("/logs", exception("Uncaught Error: x"), foreign);
    assert.equal(status, 403);
    const told = doctor(engine);
    assert.equal(told.status, 1);
    assert.match(values(told, "refused")[0], /https:\/\/shop\.example at \/logs: 403, once/);
    assert.match(
      findings(told, "wrong").join("\n"),
      /shop\.example" is refused.*--allowed-origin ORIGIN/,
    );
  });
});
