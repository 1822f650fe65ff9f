import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { patience_ms, wait_until, within } from "./deadline.mjs";
import { http_request } from "./http.mjs";

export const binary =
  process.env.GASOLINE_BIN ??
  fileURLToPath(new URL("../../../build/release/bin/gasoline", import.meta.url));

const directories = [];
process.on("exit", () => {
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
});

// Removed when the tests of the file have ended.
export const temporary_directory = () => {
  const directory = mkdtempSync(path.join(tmpdir(), "gasoline-test-"));
  directories.push(directory);
  return directory;
};

// The engine must not see settings of the machine that runs the tests.
export const clean_environment = (directory) => ({
  PATH: process.env.PATH,
  HOME: directory,
  LANG: "C.UTF-8",
  ...(process.env.TSAN_OPTIONS && { TSAN_OPTIONS: process.env.TSAN_OPTIONS }),
});

const is_id = (id) => id === null || typeof id === "string" || typeof id === "number";

// Throws unless the value is one JSON-RPC response, error or notification as MCP has them.
export const check_message = (m) => {
  assert.equal(typeof m, "object");
  assert.equal(m.jsonrpc, "2.0");
  if ("method" in m) {
    assert.equal(typeof m.method, "string");
    const is_question = m.method === "roots/list" && Number.isInteger(m.id);
    assert.ok(is_question || !("id" in m), "a server message that needs an answer");
    return;
  }
  assert.ok(is_id(m.id), "a response without id");
  assert.notEqual("result" in m, "error" in m, "a response has either a result or an error");
  if ("error" in m) {
    assert.ok(Number.isInteger(m.error.code));
    assert.match(m.error.message, /\w/);
  }
};

const check_line = (line) => {
  const value = JSON.parse(line);
  if (!Array.isArray(value)) return check_message(value);
  assert.ok(value.length > 0, "an empty batch");
  value.forEach(check_message);
};

// A `gasoline` process and the client at its stdin and stdout.
export class engine_client {
  #partial = Buffer.alloc(0);
  #arrived = new EventEmitter();
  #next_id = 1;

  constructor(child, state_dir, owns_state) {
    this.child = child;
    this.state_dir = state_dir;
    this.owns_state = owns_state;
    this.pid = child.pid;
    this.lines = []; // text of every line on stdout
    this.messages = []; // and what it holds
    this.faults = []; // lines that are no JSON-RPC
    this.stderr = "";
    this.#arrived.setMaxListeners(0);
    child.stdout.on("data", (chunk) => this.#take(chunk));
    child.stderr?.on("data", (chunk) => (this.stderr += chunk));
    child.stdin.on("error", () => {});
    this.exited = new Promise((resolve) =>
      child.on("exit", (code, signal) => resolve({ code, signal })),
    );
    this.closed = once(child, "close");
  }

  get notifications() {
    return this.messages.filter((m) => m.method === "notifications/message");
  }

  #take(chunk) {
    const bytes = Buffer.concat([this.#partial, chunk]);
    let start = 0;
    for (let end; (end = bytes.indexOf(10, start)) >= 0; start = end + 1)
      this.#take_line(bytes.subarray(start, end).toString());
    this.#partial = bytes.subarray(start);
  }

  #take_line(line) {
    this.lines.push(line);
    try {
      check_line(line);
      this.messages.push(JSON.parse(line));
    } catch (problem) {
      this.faults.push({ line: line.slice(0, 300), problem: problem.message });
      this.messages.push(undefined);
    }
    this.#arrived.emit("line");
  }

  send_raw(bytes) {
    return this.child.stdin.write(bytes);
  }

  send(message) {
    return this.send_raw(JSON.stringify(message) + "\n");
  }

  // The first message from `from` on that `matches`.
  async message(matches, { from = 0, ms = patience_ms } = {}) {
    let next = from;
    const found = () => {
      for (; next < this.messages.length; ++next)
        if (this.messages[next] !== undefined && matches(this.messages[next]))
          return this.messages[next++];
      return undefined;
    };
    const search = async () => {
      for (;;) {
        const m = found();
        if (m) return m;
        await once(this.#arrived, "line");
      }
    };
    return within(
      search(),
      ms,
      () => `last lines: ${this.lines.slice(-3).join("\n").slice(0, 900)}`,
    );
  }

  answer(id, options) {
    return this.message((m) => "id" in m && m.id === id && !("method" in m), options);
  }

  // Sends a request; gives the whole response, error or not.
  async request(method, params, { id = this.#next_id++, ms } = {}) {
    const from = this.messages.length;
    this.send({ jsonrpc: "2.0", id, method, ...(params === undefined ? {} : { params }) });
    return this.answer(id, { from, ms });
  }

  // What the engine says to raw bytes before it answers a ping that follows them. Only for what is
  // answered in order: faults and notifications, not tool calls.
  async told_about(bytes) {
    const from = this.messages.length;
    this.send_raw(Buffer.concat([Buffer.from(bytes), Buffer.from("\n")]));
    const fence = `fence ${this.#next_id++}`;
    this.send({ jsonrpc: "2.0", id: fence, method: "ping" });
    await this.answer(fence, { from });
    return this.messages.slice(from).filter((m) => m?.id !== fence);
  }

  notify(method, params) {
    this.send({ jsonrpc: "2.0", method, ...(params === undefined ? {} : { params }) });
  }

  async initialize(version = "2025-11-25") {
    const response = await this.request("initialize", {
      protocolVersion: version,
      capabilities: {},
      clientInfo: { name: "protocol tests", version: "1" },
    });
    this.notify("notifications/initialized");
    return response;
  }

  // The result of a tool call; protocol errors throw.
  async call(name, args, options) {
    const response = await this.request("tools/call", { name, arguments: args }, options);
    assert.ok(response.result, JSON.stringify(response));
    return response.result;
  }

  // What a successful `configure` call says.
  async configure(args) {
    const result = await this.call("configure", args);
    assert.ok(!result.isError, result.content[0].text);
    return JSON.parse(result.content[0].text);
  }

  stream(args) {
    return this.configure({ action: "streaming", ...args });
  }

  health() {
    return this.configure({ action: "health" });
  }

  // What `observe` shows: the sentence, the document and the alert block if there is one.
  async observe(args) {
    const result = await this.call("observe", args);
    assert.ok(!result.isError, result.content[0].text);
    const text = result.content[0].text;
    const end = text.indexOf("\n");
    return {
      sentence: text.slice(0, end),
      count: 0,
      total: 0,
      ...JSON.parse(text.slice(end + 1)),
      block: result.content[1]?.text,
      text,
    };
  }

  // Answered by the same process, soon.
  async assert_alive() {
    assert.deepEqual((await this.request("ping")).result, {});
    assert.equal(this.child.exitCode, null);
  }

  async port() {
    const file = path.join(this.state_dir, "port");
    const text = await wait_until(
      () => existsSync(file) && readFileSync(file, "utf8").trim(),
      () => `no port file; stderr: ${this.stderr}`,
    );
    return Number(text);
  }

  async http(options) {
    this.known_port ??= await this.port();
    return http_request(this.known_port, options);
  }

  post(route, body, headers) {
    return this.http({ method: "POST", path: route, body, headers });
  }

  memory_kb() {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${this.pid}/status`, "utf8"))[1]);
  }

  // All of stdout, once the process has ended and its pipes are drained.
  async end(ms = patience_ms) {
    const exit = await within(this.exited, ms, () => `still running; stderr: ${this.stderr}`);
    await within(this.closed, patience_ms, () => "a pipe is still open");
    return exit;
  }

  // Ends the engine the way an editor does, and checks all that it ever wrote to stdout.
  async stop() {
    try {
      if (this.child.exitCode === null && this.child.signalCode === null) {
        this.child.stdout.resume();
        this.child.stdin.end();
        assert.deepEqual(await this.end(), { code: 0, signal: null });
      }
      this.assert_clean();
    } finally {
      this.child.kill("SIGKILL");
      if (this.owns_state) rmSync(this.state_dir, { recursive: true, force: true });
    }
  }

  assert_clean() {
    assert.deepEqual(this.faults, [], "stdout holds lines that are no JSON-RPC");
    assert.equal(this.#partial.toString(), "", "stdout ends within a line");
  }
}

// Node connects a child by sockets, other clients do it by pipes: this puts one in between. The
// engine's own process id is then in its health document only.
const through_a_pipe = ["bash", "-c", 'set -o pipefail; "$0" "$@" | cat'];

// Starts `gasoline mcp` with a free port and a state directory of its own.
export const start_engine = ({
  args = [],
  state_dir,
  cwd,
  port = 0,
  env = {},
  piped = false,
} = {}) => {
  const directory = state_dir ?? temporary_directory();
  const [command, ...rest] = [
    ...(piped ? through_a_pipe : []),
    binary,
    "mcp",
    "--port",
    String(port),
    "--state-dir",
    directory,
    ...args,
  ];
  const child = spawn(command, rest, {
    env: { ...clean_environment(directory), ...env },
    cwd: cwd ?? directory,
  });
  return new engine_client(child, directory, state_dir === undefined);
};

// For the length of `use`: an engine that has shaken hands, unless `version` is null.
export const with_engine = async (use, { version, ...options } = {}) => {
  const engine = start_engine(options);
  try {
    if (version !== null) await engine.initialize(version);
    await use(engine);
  } catch (problem) {
    engine.child.kill("SIGKILL");
    await engine.stop().catch(() => {});
    throw problem;
  }
  await engine.stop();
};
