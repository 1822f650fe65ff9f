// `gasoline run`: what the command and its user see of it, and what the engine is told.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

import { wait_until } from "./support/deadline.mjs";
import { binary, clean_environment, temporary_directory, with_engine } from "./support/engine.mjs";

const words = (directory, command, args = []) => [
  "run",
  "--state-dir",
  directory,
  ...args,
  "--",
  ...command,
];

const run = (directory, command, { args, ...options } = {}) =>
  spawnSync(binary, words(directory, command, args), {
    cwd: directory,
    env: clean_environment(directory),
    encoding: "utf8",
    ...options,
  });

// The same as words of a shell's line, and such a line.
const shell_words = (directory, command, args) => `${binary} ${words(directory, command, args).join(" ")}`;

const run_line = (directory, line, options = {}) =>
  spawnSync("bash", ["-c", line], {
    cwd: directory,
    env: clean_environment(directory),
    encoding: "utf8",
    ...options,
  });

const has = (program) => spawnSync("sh", ["-c", `command -v ${program}`]).status === 0;

const alerts_of = async (engine) =>
  (await engine.observe({ what: "alerts", limit: 50, max_bytes: 60000 })).items;

const alert = (engine, title) =>
  wait_until(
    async () => (await alerts_of(engine)).find((a) => title.test(a.title)),
    () => `no alert ${title}`,
  );

test("without an engine the command runs as it would alone, and one line says so", () => {
  const directory = temporary_directory();
  const bytes = Buffer.from([0, 27, 91, 51, 49, 109, 255, 13, 10, 65]);
  const script = `
    process.stdin.on("data", (d) => process.stdout.write(d));
    process.stdin.on("end", () => { process.stderr.write("to stderr\\n"); process.exitCode = 3; });`;
  const shown = run(directory, ["node", "-e", script], { input: bytes, encoding: "buffer" });
  assert.deepEqual(shown.stdout, bytes);
  assert.equal(shown.status, 3);
  const told = shown.stderr.toString().split("\n").filter(Boolean);
  assert.equal(told.length, 2);
  assert.ok(told.includes("to stderr"));
  assert.match(told.find((line) => line !== "to stderr"), /^gasoline: No engine runs for .*without it\.$/);
});

const sdk_names = [
  "SENTRY_SPOTLIGHT",
  "NEXT_PUBLIC_SENTRY_SPOTLIGHT",
  "SENTRY_TRACES_SAMPLE_RATE",
  "OTEL_EXPORTER_OTLP_ENDPOINT",
  "OTEL_EXPORTER_OTLP_PROTOCOL",
  "OTEL_SERVICE_NAME",
];
const print_variables = `console.log(JSON.stringify(${JSON.stringify(sdk_names)}.map((n) => process.env[n])))`;
const variables = (directory, set = {}) => {
  const shown = run(directory, ["node", "-e", print_variables], {
    args: ["--name", "shop"],
    env: { ...clean_environment(directory), ...set },
  });
  return JSON.parse(shown.stdout).map((value) => value ?? undefined);
};

test("SDKs of the command are told of the engine that runs, and of no other", async () => {
  const directory = temporary_directory();
  assert.deepEqual(variables(directory), sdk_names.map(() => undefined));
  // An engine that was killed leaves its files.
  writeFileSync(path.join(directory, "port"), "7890\n", { mode: 0o600 });
  writeFileSync(path.join(directory, "engine.lock"), "4194305\n", { mode: 0o600 });
  assert.deepEqual(variables(directory), sdk_names.map(() => undefined));

  await with_engine(async (engine) => {
    const base = `http://127.0.0.1:${await engine.port()}`;
    const at = engine.state_dir;
    assert.deepEqual(variables(at), [
      `${base}/stream`,
      `${base}/stream`,
      "1",
      base,
      "http/protobuf",
      "shop",
    ]);
    const dsn = variables(at, { SENTRY_DSN: "https://k@sentry.example/1", SENTRY_SPOTLIGHT: "0" });
    assert.deepEqual(dsn.slice(0, 3), ["0", `${base}/stream`, undefined]);
    const elsewhere = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://otel.example" };
    assert.deepEqual(variables(at, elsewhere).slice(3), [undefined, undefined, undefined]);
  });
});

test("a command that cannot be started has the exit code of a shell", () => {
  const directory = temporary_directory();
  const missing = run(directory, ["no-such-program"]);
  assert.equal(missing.status, 127);
  assert.match(missing.stderr, /gasoline: no-such-program: No such file or directory\n/);
  const file = path.join(directory, "plain");
  writeFileSync(file, "text");
  chmodSync(file, 0o644);
  assert.equal(run(directory, [file]).status, 126);
  assert.equal(run(directory, ["sh", "-c", "kill -TERM $$"]).status, 143);
  assert.equal(spawnSync(binary, ["run"], { env: clean_environment(directory) }).status, 2);
});

test("a signal reaches the command once, and its answer is the exit code", async () => {
  const directory = temporary_directory();
  const script = `
    let n = 0;
    process.on("SIGTERM", () => { n += 1; setTimeout(() => process.exit(40 + n), 200); });
    console.log("ready");
    setInterval(() => {}, 1000);`;
  const child = spawn(binary, words(directory, ["node", "-e", script]), {
    env: clean_environment(directory),
  });
  await once(child.stdout, "data");
  child.kill("SIGTERM");
  const [code] = await once(child, "exit");
  assert.equal(code, 41);
});

test("a command that leaves a daemon behind ends, and the daemon goes on", () => {
  const directory = temporary_directory();
  const before = Date.now();
  const shown = run(directory, ["sh", "-c", "(sleep 2; echo late) & echo early"]);
  assert.equal(shown.status, 0);
  // Whoever reads to the end still gets all of it.
  assert.equal(shown.stdout, "early\nlate\n");
  assert.ok(Date.now() - before >= 1900);
});

// About 40 MB: more than waits for the observer, so pages are moved and not copied on the way.
const flood = "seq 1000000 6000000";
const flood_hash = spawnSync("sh", ["-c", `${flood} | cksum`], { encoding: "utf8" }).stdout;

test("what a command floods goes through whole, and how it ended is looked at", async () => {
  await with_engine(async (engine) => {
    await engine.port();
    const directory = temporary_directory();
    writeFileSync(path.join(directory, "end.mjs"), "const cart = {};\ncart.total();\n");
    const inner = shell_words(engine.state_dir, ["sh", "-c", `'${flood}; node end.mjs'`], ["--name", "shop"]);
    // A pipe between two programs, as a shell makes it.
    const shown = run_line(directory, `${inner} | cksum; exit $PIPESTATUS`);
    assert.equal(shown.status, 1, shown.stderr);
    assert.equal(shown.stdout, flood_hash);
    const thrown = await alert(engine, /^TypeError: cart\.total is not a function$/);
    assert.match(thrown.detail, /end\.mjs:2:6/);
    // The same on its way into a file, and to a program that reads a socket.
    for (const into of ["> shown; cksum < shown", "| cksum"])
      assert.equal(
        run_line(directory, `${shell_words(engine.state_dir, flood.split(" "))} ${into}`).stdout,
        flood_hash,
      );
  });
});

test("what a flood says last is looked at though it says it on standard output", async () => {
  await with_engine(async (engine) => {
    await engine.port();
    const directory = temporary_directory();
    writeFileSync(path.join(directory, "last"), "src/a.ts(3,7): error TS2322: Type 'string' is wrong.\n");
    const inner = shell_words(engine.state_dir, ["sh", "-c", `'${flood}; cat last; exit 2'`], ["--name", "types"]);
    const shown = run_line(directory, `${inner} | tail -n 1; exit $PIPESTATUS`);
    assert.equal(shown.status, 2, shown.stderr);
    assert.match(shown.stdout, /^src\/a\.ts/);
    await alert(engine, /^Build failed: .*TS2322/);
  });
});

test("a command whose reader leaves is ended by the broken pipe, early and in a flood", () => {
  const directory = temporary_directory();
  for (const bytes of [10, 20_000_000]) {
    const inner = shell_words(directory, ["yes"]);
    const line = `${inner} | head -c ${bytes} >/dev/null; exit $PIPESTATUS`;
    const shown = run_line(directory, line, { timeout: 60_000 });
    assert.equal(shown.status, 141);
  }
});

test("in a terminal the command has one, of the same size", { skip: !has("script") }, () => {
  const directory = temporary_directory();
  const inner = `${binary} run --state-dir ${directory} -- sh -c 'test -t 0 && test -t 1 && test -t 2 && stty size && exit 7'`;
  const shown = run(directory, [], {}).status; // no command: wrong usage
  assert.equal(shown, 2);
  const outer = spawnSync("script", ["-qec", `stty rows 33 cols 101; ${inner}`, "/dev/null"], {
    env: { ...clean_environment(directory), TERM: "xterm", SHELL: "/bin/sh" },
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
  assert.equal(outer.status, 7, outer.stdout + outer.stderr);
  assert.match(outer.stdout, /33 101\r\n/);
});

test("traces, crashes and their places reach the engine", async () => {
  await with_engine(async (engine) => {
    await engine.port();
    const directory = temporary_directory();
    const into = (command, name) =>
      run(directory, command, { args: ["--state-dir", engine.state_dir, "--name", name] });
    writeFileSync(path.join(directory, "cart.mjs"), "const cart = {};\ncart.total();\n");
    assert.equal(into(["node", "cart.mjs"], "shop").status, 1);
    const thrown = await alert(engine, /^TypeError: cart\.total is not a function$/);
    assert.match(thrown.detail, /cart\.mjs:2:6/);
    assert.equal(thrown.url, "run://shop");
    assert.equal(into(["sh", "-c", "echo starting; kill -SEGV $$"], "worker").status, 139);
    const crash = await alert(engine, /was ended by signal 11 \(SIGSEGV\)/);
    assert.match(crash.detail, /starting/);
    assert.equal(into(["sh", "-c", "echo no database >&2; exit 9"], "api").status, 9);
    assert.match((await alert(engine, /exited with code 9/)).detail, /no database/);
    if (has("python3")) {
      writeFileSync(path.join(directory, "orders.py"), "def load():\n    return {}['id']\nload()\n");
      into(["python3", "orders.py"], "orders");
      assert.match((await alert(engine, /^KeyError: 'id'$/)).detail, /orders\.py:2/);
    }
    // An exit that a trace explains is no second alert.
    assert.ok(!(await alerts_of(engine)).some((a) => /node exited with code 1/.test(a.title)));
  });
});

test("compile errors are alerts that end when the same command compiles again", async () => {
  await with_engine(async (engine) => {
    await engine.port();
    const directory = temporary_directory();
    const into = (name, text, code) => {
      writeFileSync(path.join(directory, "shown"), text);
      return run(directory, ["sh", "-c", `cat shown; exit ${code}`], {
        args: ["--state-dir", engine.state_dir, "--name", name],
      });
    };
    into("types", "src/a.ts(3,7): error TS2322: Type 'string' is not assignable.\n", 2);
    const broken = await alert(engine, /^Build failed: .*TS2322/);
    assert.match(broken.title, /src\/a\.ts:3:7/);
    into("other", "", 0);
    into("types", "", 0);
    await alert(engine, /^types: passes$/);
    assert.ok(!(await alerts_of(engine)).some((a) => /^other: passes$/.test(a.title)));
  });
});

test("test failures reach the engine as one result", async () => {
  await with_engine(async (engine) => {
    await engine.port();
    const directory = temporary_directory();
    const text = `=== short test summary info ===
FAILED test_a.py::test_one - assert 1 == 2
=== 1 failed, 4 passed in 0.04s ===
`;
    writeFileSync(path.join(directory, "shown"), text);
    run(directory, ["sh", "-c", "cat shown; exit 1"], {
      args: ["--state-dir", engine.state_dir, "--name", "unit"],
    });
    const told = await alert(engine, /^CI failure \(pytest, local, unit\)$/);
    assert.match(told.detail, /1 failed, 4 passed\nFailed: test_a\.py::test_one: assert 1 == 2/);
  });
});
