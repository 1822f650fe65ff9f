// How the process starts and ends, and what it does when its pipes, port or disk misbehave.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import net from "node:net";
import path from "node:path";
import { test } from "node:test";

import { bound, patience_ms, wait_until, within } from "./support/deadline.mjs";
import {
  binary,
  clean_environment,
  engine_client,
  start_engine,
  temporary_directory,
  with_engine,
} from "./support/engine.mjs";
import { ci_failure, exception, word } from "./support/samples.mjs";

const line = (message) => JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n";
const initialize_line = line({
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "t", version: "1" },
  },
});

const enable = (engine, more) =>
  engine.stream({ streaming_action: "enable", throttle_seconds: 60, ...more });

// One alert is told, so that the following ones wait in the batch for a minute.
const fill_batch = async (engine) => {
  await enable(engine);
  for (let i = 0; i < 4; ++i) await engine.post("/ci-result", ci_failure());
  await engine.message((m) => m.method === "notifications/message");
  const { pending } = await engine.stream({ streaming_action: "status" });
  assert.equal(pending, 3);
};

const ended_within = async (engine, ms) => {
  const started = performance.now();
  const exit = await engine.end();
  const took = performance.now() - started;
  assert.deepEqual(exit, { code: 0, signal: null }, engine.stderr);
  assert.ok(took < bound(ms), `took ${Math.round(took)} ms`);
};

// Runs the program to its end.
const run = async (args, { input = "", env } = {}) => {
  const directory = temporary_directory();
  try {
    const child = spawn(binary, args, { env: { ...clean_environment(directory), ...env } });
    const out = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"])
      child[name].on("data", (chunk) => (out[name] += chunk));
    child.stdin.on("error", () => {});
    child.stdin.end(input);
    const closed = once(child, "close");
    const [code] = await within(closed, patience_ms, () => `${args} still runs`).catch(
      (problem) => {
        child.kill("SIGKILL");
        throw problem;
      },
    );
    return { code, ...out };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
};

const program_holding_a_port = async () => {
  const server = net.createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { port: server.address().port, close: () => server.close() };
};

test("EOF with a batch pending: code 0 within 1 s, nothing printed afterwards", async () => {
  const engine = start_engine();
  await engine.initialize();
  await fill_batch(engine);
  const lines = engine.lines.length;
  engine.child.stdin.end();
  await ended_within(engine, 1000);
  assert.equal(engine.lines.length, lines);
  await engine.stop();
});

test("EOF before initialize", async () => {
  const engine = start_engine();
  engine.child.stdin.end();
  await ended_within(engine, 1000);
  assert.deepEqual(engine.lines, []);
  await engine.stop();
});

test("EOF within a line: the rest is answered as what it is", async () => {
  const whole = await run(["mcp", "--port", "0"], {
    input: initialize_line + '{"jsonrpc":"2.0","id":2,"method":"ping"}',
  });
  assert.deepEqual(JSON.parse(whole.stdout.split("\n")[1]), { jsonrpc: "2.0", id: 2, result: {} });
  const cut = await run(["mcp", "--port", "0"], {
    input: initialize_line + '{"jsonrpc":"2.0","id',
  });
  assert.equal(JSON.parse(cut.stdout.split("\n")[1]).error.code, -32700);
  assert.deepEqual([whole.code, cut.code], [0, 0]);
});

test("piped requests with an immediate EOF are all answered", async () => {
  const calls = Array.from({ length: 50 }, (_, i) =>
    line({
      id: i + 10,
      method: i % 2 ? "tools/call" : "tools/list",
      params: i % 2 ? { name: "observe", arguments: { what: "timeline" } } : {},
    }),
  );
  const { code, stdout } = await run(["mcp", "--port", "0"], {
    input: initialize_line + calls.join("") + line({ id: "last", method: "resources/list" }),
  });
  const answers = stdout
    .trimEnd()
    .split("\n")
    .map((text) => JSON.parse(text));
  assert.equal(code, 0);
  assert.equal(answers.length, 52);
  assert.ok(answers.every(({ result }) => result !== undefined));
  assert.deepEqual(
    new Set(answers.map(({ id }) => id)),
    new Set([1, "last", ...calls.map((_, i) => i + 10)]),
  );
});

for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"])
  test(`${signal} with a batch pending: code 0 under 2 s, each time`, async () => {
    for (let round = 0; round < (signal === "SIGTERM" ? 20 : 3); ++round) {
      const engine = start_engine();
      await engine.initialize();
      await fill_batch(engine);
      const lines = engine.lines.length;
      engine.child.kill(signal);
      await ended_within(engine, 2000);
      assert.equal(engine.lines.length, lines, "nothing is flushed at the end");
      assert.ok(!existsSync(path.join(engine.state_dir, "port")), "the port file is gone");
      await engine.stop();
    }
  });

test("SIGTERM right after the start", async () => {
  const engine = start_engine();
  await engine.port();
  engine.child.kill("SIGTERM");
  await ended_within(engine, 2000);
  await engine.stop();
});

test("a client that closes stdout ends the process at the next write", async () => {
  const engine = start_engine();
  await engine.initialize();
  await enable(engine, { throttle_seconds: 1 });
  await engine.port();
  engine.child.stdout.destroy();
  await engine.post("/ci-result", ci_failure());
  const exit = await within(engine.exited, patience_ms, () => "still running after EPIPE");
  assert.deepEqual(exit, { code: 0, signal: null });
  rmSync(engine.state_dir, { recursive: true, force: true });
});

test("unread stderr does not block", async () => {
  await with_engine(
    async (engine) => {
      engine.child.stderr.removeAllListeners("data");
      engine.child.stderr.pause();
      for (let i = 0; i < 3000; ++i) {
        const { status } = await engine.post("/logs", "{broken");
        assert.equal(status, 400);
      }
      await engine.assert_alive();
      await engine.observe({ what: "errors" });
      engine.child.stderr.resume();
    },
    { args: ["--log-level", "trace"] },
  );
});

test("a closed stderr does not matter", async () => {
  await with_engine(
    async (engine) => {
      engine.child.stderr.destroy();
      for (let i = 0; i < 20; ++i) await engine.post("/logs", "{broken");
      await engine.assert_alive();
    },
    { args: ["--log-level", "trace"] },
  );
});

test("port taken by another program: stdio works, the owner is named", async () => {
  const holder = await program_holding_a_port();
  try {
    const started = performance.now();
    const engine = start_engine({ port: holder.port });
    const { result } = await engine.initialize();
    assert.ok(performance.now() - started < bound(500), "initialize does not wait for the port");
    assert.ok(result.serverInfo);
    assert.equal((await engine.observe({ what: "errors" })).count, 0);
    const health = await wait_until(
      async () => {
        const document = await engine.health();
        return document.http_problem && document;
      },
      () => "health does not tell",
      { every: 250 },
    );
    assert.match(health.http_problem, new RegExp(`\\b${process.pid}\\b`));
    assert.match(health.http_problem, new RegExp(`\\b${holder.port}\\b`));
    assert.match(health.http_problem, /node/i);
    await engine.stop();
    process.kill(process.pid, 0); // and the owner lives
  } finally {
    holder.close();
  }
});

test("serve ends with code 1 when its port is taken", async () => {
  const holder = await program_holding_a_port();
  const directory = temporary_directory();
  const { code, stderr } = await run([
    "serve",
    "--port",
    String(holder.port),
    "--state-dir",
    directory,
  ]);
  holder.close();
  rmSync(directory, { recursive: true, force: true });
  assert.equal(code, 1);
  assert.match(stderr, new RegExp(`\\b${process.pid}\\b`));
});

test("a state directory that cannot be made: stdio and HTTP work", async () => {
  const directory = temporary_directory();
  const blocked = path.join(directory, "a file", "state");
  writeFileSync(path.join(directory, "a file"), "");
  const child = spawn(binary, ["mcp", "--port", "0", "--state-dir", blocked], {
    env: clean_environment(directory),
  });
  const engine = new engine_client(child, directory, true);
  await engine.initialize();
  assert.equal((await engine.observe({ what: "logs" })).count, 0);
  const port = await wait_until(
    async () => (await engine.health()).port || undefined,
    () => engine.stderr,
    { every: 250 },
  );
  engine.known_port = port;
  assert.equal((await engine.post("/ci-result", ci_failure())).status, 200);
  assert.match(engine.stderr, /state directory .*cannot be made.*--state-dir/);
  await engine.stop();
});

test("a state directory that cannot be written: stdio and HTTP work", async () => {
  const directory = temporary_directory();
  const child = spawn(binary, ["mcp", "--port", "0", "--state-dir", "/proc"], {
    env: clean_environment(directory),
  });
  const engine = new engine_client(child, directory, true);
  await engine.initialize();
  engine.known_port = await wait_until(
    async () => (await engine.health()).port || undefined,
    () => engine.stderr,
    { every: 250 },
  );
  assert.equal((await engine.post("/ci-result", ci_failure())).status, 200);
  assert.match(engine.stderr, /port file in \/proc cannot be written/);
  await engine.stop();
});

for (const piped of [false, true])
  test(`a client that stops reading its ${piped ? "pipe" : "socket"}: answers wait`, async () => {
    await with_engine(stop_reading, { piped });
  });

const stop_reading = async (engine) => {
  engine.pid = (await engine.health()).pid;
  await enable(engine, { throttle_seconds: 1 });
  const filler = "lorem ipsum ".repeat(400);
  for (let i = 0; i < 8; ++i)
    await engine.post("/logs", {
      entries: Array.from({ length: 100 }, (_, n) => ({
        type: "console",
        level: "info",
        message: `${word(i * 100 + n)} ${filler}`,
      })),
    });
  const probe = await engine.call("observe", { what: "logs", limit: 1000, max_bytes: 500_000 });
  assert.ok(probe.content[0].text.length > 400_000, "the answers of this test are large");
  const before = engine.memory_kb();

  engine.child.stdout.pause();
  const first = engine.messages.length;
  const ids = Array.from({ length: 12 }, (_, i) => `large ${i}`);
  for (const id of ids)
    engine.send({
      id,
      jsonrpc: "2.0",
      method: "tools/call",
      params: {
        name: "observe",
        arguments: { what: "logs", limit: 1000, max_bytes: 500_000 },
      },
    });
  for (let i = 0; i < 40; ++i) {
    const answer = await engine.post("/logs", exception(`Error: while nobody reads ${word(i)}`));
    assert.equal(answer.status, 200, "ingest goes on");
  }
  const grown = engine.memory_kb() - before;
  assert.ok(grown < 60_000, `grew by ${grown} kB`);

  engine.child.stdout.resume();
  for (const id of ids) assert.ok((await engine.answer(id, { from: first })).result, id);
  const { notify_count, pending, dropped, deduplicated } = await wait_until(
    async () => {
      const status = await engine.stream({ streaming_action: "status" });
      return status.pending === 0 && status;
    },
    () => "the batch is not told",
    { every: 500 },
  );
  await engine.assert_alive();
  const told = engine.notifications;
  assert.equal(told.length, notify_count);
  assert.ok(told.length <= 8, `${told.length} notifications for 40 alerts`);
  const titles = told.flatMap(({ params: { data } }) => data.alerts ?? [data]);
  const omitted = told.reduce((n, { params: { data } }) => n + (data.alerts_omitted ?? 0), 0);
  assert.equal(titles.length + omitted + dropped + deduplicated, 40 + extra_alerts(titles));
  assert.equal(pending, 0);
};

// Alerts that the engine adds of its own, such as an error spike.
const extra_alerts = (members) => members.filter(({ title }) => !/nobody reads/.test(title)).length;

test("EOF from a client that never read: leaves within a second all the same", async () => {
  const engine = start_engine();
  await engine.initialize();
  const filler = "dolor sit ".repeat(900);
  await engine.post("/logs", {
    entries: Array.from({ length: 90 }, (_, n) => ({
      type: "console",
      level: "info",
      message: word(n) + filler,
    })),
  });
  engine.child.stdout.pause();
  for (let i = 0; i < 5; ++i)
    engine.send({
      jsonrpc: "2.0",
      id: i + 100,
      method: "tools/call",
      params: { name: "observe", arguments: { what: "logs", max_bytes: 500_000 } },
    });
  engine.child.stdin.end();
  const started = performance.now();
  const exit = await within(engine.exited, patience_ms, () => "still running");
  assert.deepEqual(exit, { code: 0, signal: null });
  assert.ok(performance.now() - started < bound(1000));
  engine.child.stdout.resume();
  rmSync(engine.state_dir, { recursive: true, force: true });
});

test("--port 0: port file, health and one stderr line agree", async () => {
  await with_engine(async (engine) => {
    const port = await engine.port();
    assert.ok(port > 1023);
    const health = await wait_until(
      async () => {
        const document = await engine.health();
        return document.port === port && document;
      },
      () => "health has no port",
      { every: 250 },
    );
    assert.equal(health.pid, engine.pid);
    for (const key of "pid version port uptime_seconds clients sources buffers dropped limits".split(
      " ",
    ))
      assert.ok(key in health, key);
    assert.equal(health.clients.length, 1);
    assert.deepEqual((await engine.http({ path: "/health" })).json.pid, engine.pid);
    await wait_until(
      () => engine.stderr.includes(`:${port}`),
      () => engine.stderr,
    );
    assert.equal(engine.stderr.split(`:${port}`).length, 2, "one line says it");
    const at = port.toString(16).toUpperCase().padStart(4, "0");
    // ::1 as well, where the machine has it.
    const [first, ...others] = listeners_of(engine.pid);
    assert.equal(first, `0100007F:${at}`);
    for (const other of others) assert.equal(other, `00000000000000000000000001000000:${at}`);
  });
});

// Local addresses of the TCP sockets on which a process listens, as /proc has them.
const listeners_of = (pid) => {
  const rows = ["tcp", "tcp6"].flatMap((table) =>
    readFileSync(`/proc/${pid}/net/${table}`, "utf8").trim().split("\n").slice(1),
  );
  const inodes = new Set(
    [...Array(64).keys()].flatMap((fd) => {
      const target = link_of(`/proc/${pid}/fd/${fd}`);
      return target?.startsWith("socket:[") ? [target.slice(8, -1)] : [];
    }),
  );
  return rows
    .map((row) => row.trim().split(/\s+/))
    .filter((columns) => columns[3] === "0A" && inodes.has(columns[9]))
    .map((columns) => columns[1]);
};

const link_of = (file) => {
  try {
    return readlinkSync(file);
  } catch {
    return undefined;
  }
};

for (const args of [
  [],
  ["nonsense"],
  ["mcp", "--nonsense"],
  ["mcp", "--port"],
  ["mcp", "--port", "abc"],
  ["mcp", "--port", "65536"],
  ["mcp", "--port", "-1"],
  ["mcp", "--toolsets", "nope"],
  ["mcp", "--log-level", "loud"],
  ["mcp", "--host", "0.0.0.0"],
  ["mcp", "--config", "/nonexistent/config.json"],
  ["replay"],
])
  test(`wrong usage "gasoline ${args.join(" ")}" is code 2 with a sentence`, async () => {
    const { code, stdout, stderr } = await run(args);
    assert.equal(code, 2);
    assert.equal(stdout, "");
    assert.match(stderr, /\w+ .*\w/);
  });

test("--version and --help are code 0", async () => {
  const version = await run(["--version"]);
  assert.equal(version.code, 0);
  assert.match(version.stdout, /^gasoline \d+\.\d+\.\d+/);
  assert.equal((await run(["--help"])).code, 0);
});

for (const [text, sentence] of [
  ["{", /not valid JSON/],
  ["[]", /JSON object/],
  ['{"prot": 1}', /prot.*known are/],
  ['{"port": 70000}', /port/],
  ['{"host": "0.0.0.0"}', /loopback/],
  ['{"limits": {"nope": 1}}', /nope/],
  ['{"limits": {"json_depth": 100000}}', /json_depth.*512/],
  ['{"redaction_rules": [{"name": "a", "pattern": "("}]}', /does not compile/],
  ['{"redaction_rules": [{"name": "a", "pattern": "x*"}]}', /mask everything/],
  ['{"budgets": [{"metric": "speed", "limit": 3}]}', /speed/],
])
  test(`a bad config file is code 2 with a sentence: ${text}`, async () => {
    const directory = temporary_directory();
    const file = path.join(directory, "config.json");
    writeFileSync(file, text);
    const { code, stdout, stderr } = await run(["mcp", "--port", "0", "--config", file]);
    rmSync(directory, { recursive: true, force: true });
    assert.equal(code, 2);
    assert.equal(stdout, "");
    assert.match(stderr, sentence);
    assert.ok(stderr.includes("config.json"), "the file is named");
  });

test("a config file with comments is taken", async () => {
  const directory = temporary_directory();
  const file = path.join(directory, "config.json");
  writeFileSync(file, '// mine\n{ /* all */ "toolsets": ["core", "compat"] }');
  await with_engine(
    async (engine) => {
      const { result } = await engine.request("tools/list");
      assert.ok(result.tools.some(({ name }) => name === "configure_streaming"));
    },
    { args: ["--config", file] },
  );
  rmSync(directory, { recursive: true, force: true });
});
