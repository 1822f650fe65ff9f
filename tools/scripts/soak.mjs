// Mixed load on one engine, at every cap: telemetry, MCP, streams, sessions, clients that stall and
// clients that are cut anywhere, after some restarts in the middle of it. In its last third resident
// memory and descriptors have to be where they were in the second, to 2 %: in the first, buffers and
// pools fill. And a week of virtual time is replayed. Usage: node tools/scripts/soak.mjs GASOLINE [SECONDS]   (3600)
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import net from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as rest } from "node:timers/promises";

const [binary, given = "3600"] = process.argv.slice(2);
const seconds = Number(given);
if (!binary || !(seconds >= 30)) {
  console.error("Usage: node tools/scripts/soak.mjs GASOLINE [SECONDS]   (at least 30)");
  process.exit(2);
}

const drift_allowed = 0.02;
const least_drift = { kib: 2048, descriptors: 2 }; // less than this is noise
const directory = mkdtempSync(join(tmpdir(), "gasoline-soak-"));
const token = () => readFileSync(join(directory, "token"), "utf8").trim();

// Caps so low that all are reached within seconds.
const limits = {
  http_connections: 200,
  http_streams: 40,
  http_inflight_bytes: 10 << 20,
  http_read_timeout_ms: 2000,
  result_max_bytes: 4 << 20,
  mcp_sessions: 20,
  session_count: 30,
  mcp_stream_after_ms: 1,
  mcp_event_total_bytes: 2 << 20,
  mcp_session_idle_ms: 10_000,
  attach_clients: 8,
  named_stream_total_bytes: 2 << 20,
  session_trace_bytes: 4 << 20,
  client_tool_calls_per_minute: 1_000_000,
};
for (const buffer of ["error", "log", "body", "websocket", "waterfall", "action", "performance"])
  Object.assign(limits, { [`store_${buffer}_entries`]: 500, [`store_${buffer}_bytes`]: 1 << 20 });
const config = join(directory, "config.json");
writeFileSync(config, JSON.stringify({ limits }), { mode: 0o600 });

const done = { requests: 0, refused: 0, cut: 0, stalled: 0, sessions: 0, watched: 0, attached: 0, restarts: 0 };
let engine;
let port = 0;
let busy = true; // false: the load rests, so that what is kept can be measured

const start = async () => {
  const args = ["serve", "--port", String(port), "--state-dir", directory, "--config", config];
  engine = spawn(binary, args, { stdio: ["ignore", "ignore", "pipe"] });
  engine.stderr.resume();
  const file = join(directory, "port");
  for (let i = 0; i < 200; ++i) {
    await rest(50);
    try {
      port = Number(readFileSync(file, "utf8"));
      if (port > 0 && (await ask("GET", "/health")).status === 200) return;
    } catch {
      // not yet
    }
  }
  throw new Error("the engine does not start");
};

const stop = async (signal) => {
  const ended = new Promise((resolve) => engine.once("exit", resolve));
  engine.kill(signal);
  await ended;
  rmSync(join(directory, "port"), { force: true });
};

// One request; failures of the connection count as refused.
const ask = (method, path, body, headers = {}) =>
  new Promise((resolve) => {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const json = text === undefined ? {} : { "content-type": "application/json" };
    const request = http.request(
      { host: "127.0.0.1", port, method, path, agent: false, timeout: 20_000, headers: { ...json, ...headers } },
      (response) => {
        let all = "";
        response.on("data", (piece) => (all += piece));
        response.on("error", () => resolve({ status: 0, text: "" }));
        response.on("end", () => {
          done.requests += 1;
          if (response.statusCode >= 400) done.refused += 1;
          resolve({ status: response.statusCode, text: all, headers: response.headers });
        });
      },
    );
    request.on("timeout", () => request.destroy());
    request.on("error", () => resolve({ status: 0, text: "" }));
    request.end(text);
  });

// The connections that the load has left behind may be at their cap for a while yet.
const health = async () => {
  for (let i = 0; i < 30; ++i) {
    const { status, text } = await ask("GET", "/health");
    if (status === 200) return JSON.parse(text);
    await rest(1000);
  }
  throw new Error("the engine does not tell its health");
};

const any = (n) => Math.floor(Math.random() * n);
const words = (n) => Array.from({ length: n }, () => any(1e9).toString(36)).join(" ");
const call = (name, args) => ({ jsonrpc: "2.0", id: any(1e6), method: "tools/call", params: { name, arguments: args } });
const mcp = { accept: "application/json, text/event-stream", "x-gasoline-client": "soak" };

const telemetry = [
  () => ["/logs", { entries: Array.from({ length: any(50) }, () => ({ level: "error", message: words(any(200)) })) }],
  () => ["/network-bodies", { bodies: [{ url: `http://localhost/${any(99)}`, method: "GET", status: 500, response_body: words(any(4000)) }] }],
  () => ["/websocket-events", { events: [{ url: "ws://localhost/x", direction: "incoming", data: words(any(900)) }] }],
  () => ["/network-waterfall", { entries: [{ url: `http://localhost/${any(999)}`, initiator_type: "fetch", duration: any(900), start_time: 1 }] }],
  () => ["/enhanced-actions", { actions: [{ type: "click", timestamp: Date.now(), url: "http://localhost/a", selectors: { css: words(3) } }] }],
  () => ["/performance-snapshots", { snapshots: [{ url: `http://localhost/${any(50)}`, timing: { load: 100 + any(3000) } }] }],
  () => ["/ci-result", { status: any(2) ? "failure" : "success", source: `s${any(9)}`, ref: "main", commit: `c${any(99)}` }],
];

const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "soak", version: "1" } },
};

// A raw request whose client reads nothing, or is cut at a random byte.
const raw = (text, use) =>
  new Promise((resolve) => {
    const socket = net.connect(port, "127.0.0.1", () => use(socket, text));
    socket.on("error", () => {});
    socket.on("close", resolve);
  });
const request_text = (path, body) => {
  const text = JSON.stringify(body);
  return `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAccept: application/json, text/event-stream\r\nX-Gasoline-Client: soak\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
};
const observe = () => call("observe", { what: "logs", limit: 1000, max_bytes: 4_000_000 });

const loads = {
  send: async () => {
    const [path, body] = telemetry[any(telemetry.length)]();
    await ask("POST", path, body);
  },
  read: () => ask("POST", "/mcp", observe(), mcp),
  // A session whose answers come as streams that may be resumed, and whose alerts wait for a stream
  // that it never opens; it ends, or is left to its time.
  open: async () => {
    const made = await ask("POST", "/mcp", initialize, { accept: mcp.accept });
    const session = made.headers?.["mcp-session-id"];
    if (!session) return;
    const headers = { accept: mcp.accept, "mcp-session-id": session, "mcp-protocol-version": "2025-11-25" };
    await ask("POST", "/mcp", call("configure", { action: "streaming", streaming_action: "enable" }), headers);
    await ask("POST", "/mcp", observe(), headers);
    if (any(2)) await ask("DELETE", "/mcp", undefined, headers);
  },
  // An editor at the attach socket that is cut anywhere, or stalls in the middle of a long line.
  attach: async () => {
    done.attached += 1;
    const hello = { hello: "gasoline", protocol: 1, role: "client", version: "soak", pid: process.pid, cwd: directory };
    const lines = [hello, initialize, { jsonrpc: "2.0", method: "notifications/initialized" }, observe()];
    const text = lines.map((line) => JSON.stringify(line) + "\n").join("") + "x".repeat(any(1 << 20));
    await new Promise((resolve) => {
      const socket = net.connect(join(directory, "engine.sock"), () => {
        socket.write(text.slice(0, any(2) ? text.length : 1 + any(1000)));
        if (any(2)) socket.pause();
        else socket.resume();
        setTimeout(() => socket.destroy(), any(2000));
      });
      socket.on("error", () => {});
      socket.on("close", resolve);
    });
  },
  cut: async () => {
    const [path, body] = telemetry[any(telemetry.length)]();
    done.cut += 1;
    await raw(request_text(path, body), (socket, text) =>
      socket.write(text.slice(0, 1 + any(text.length)), () => setTimeout(() => socket.destroy(), any(50))),
    );
  },
  stall: async () => {
    done.stalled += 1;
    await raw(request_text("/mcp", observe()), (socket, text) => {
      socket.pause();
      socket.write(text);
      setTimeout(() => socket.destroy(), 500 + any(4000));
    });
  },
  follow: async () => {
    await raw("", (socket) => {
      socket.write("GET /streams/$alerts/events HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n");
      if (any(2)) socket.pause();
      else socket.resume();
      setTimeout(() => socket.destroy(), any(3000));
    });
  },
  publish: async () => {
    const name = `soak-${any(20)}`;
    await ask("POST", "/streams", { name, stream_type: "in_memory" });
    await ask("POST", `/streams/${name}/events`, { data: words(any(500)) });
    if (any(4) === 0) await ask("DELETE", `/streams/${name}`);
  },
  converse: async () => {
    const bearer = { authorization: `Bearer ${token()}` };
    const body = { workspace_path: "/tmp", provider: "scripted", model: "scripted", system: words(any(2000)) };
    const made = await ask("POST", "/sessions", body, bearer);
    if (made.status !== 201) return;
    done.sessions += 1;
    const id = JSON.parse(made.text).session_id;
    await ask("POST", `/sessions/${id}/turns`, { content: words(50) }, bearer);
    await ask("GET", "/sessions", undefined, bearer);
    const attached = await ask("GET", `/sessions/${id}`, undefined, bearer);
    if (attached.status !== 200) return;
    done.watched += 1;
    const stream = new URL(JSON.parse(attached.text).ws_url);
    const key = "dGhlIHNhbXBsZSBub25jZQ==";
    const upgrade = `Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}`;
    await raw("", (socket) => {
      socket.write(`GET ${stream.pathname}${stream.search} HTTP/1.1\r\nHost: localhost\r\n${upgrade}\r\n\r\n`);
      if (any(2)) socket.pause();
      else socket.resume();
      setTimeout(() => socket.destroy(), any(500));
    });
    await ask("DELETE", `/sessions/${id}`, undefined, bearer);
  },
};

const end = performance.now() + seconds * 1000;
const left = () => (end - performance.now()) / 1000;

const work = async (load) => {
  while (left() > 0) {
    if (busy) await load().catch(() => {});
    await rest(busy ? any(20) : 50);
  }
};

// What the engine keeps once the load has rested for a while.
const measure = async () => {
  busy = false;
  await rest(6000);
  const status = readFileSync(`/proc/${engine.pid}/status`, "utf8");
  const kib = Number(/VmRSS:\s+(\d+)/.exec(status)[1]);
  const descriptors = readdirSync(`/proc/${engine.pid}/fd`).length;
  busy = true;
  return { kib, descriptors };
};

const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];

const least_samples = 9;

// Whether the last third is where the second was.
const is_flat = (samples, what) => {
  const third = Math.max(1, Math.floor(samples.length / 3));
  const of = (part) => median(part.map((sample) => sample[what]));
  const [first, last] = [of(samples.slice(-2 * third, -third)), of(samples.slice(-third))];
  const allowed = Math.max(first * drift_allowed, least_drift[what]);
  console.log(`${what}: ${first} in the second third, ${last} in the last, ${Math.round(allowed)} more allowed`);
  return last <= first + allowed;
};

// One error and one reader every ten minutes for seven days.
const replay_a_week = () => {
  const file = join(directory, "week.jsonl");
  const lines = [JSON.stringify({ config: { start: "2026-01-05T00:00:00.000Z" } })];
  for (let at = 600; at < 7 * 86_400; at += 600) {
    const entry = { type: "exception", level: "error", message: `Error: fault ${at % 7}`, url: "http://localhost/a" };
    lines.push(JSON.stringify({ at: `${at}s`, post: "/logs", body: { entries: [entry] } }));
    lines.push(JSON.stringify({ expect: "answer", match: { status: 200 } }));
    lines.push(JSON.stringify({ at: `${at}s`, call: "observe", arguments: { what: "alerts" } }));
    lines.push(JSON.stringify({ expect: "result", match: { is_error: false } }));
  }
  writeFileSync(file, lines.join("\n") + "\n");
  const began = performance.now();
  const { status, stdout } = spawnSync(binary, ["replay", file], { encoding: "utf8", maxBuffer: 1 << 28 });
  console.log(`a week of virtual time: ${Math.round((performance.now() - began) / 1000)} s, ${stdout.trim().split("\n").at(-1)}`);
  return status === 0;
};

let problem = "";
try {
  await start();
  const copies = { send: 3, read: 2, cut: 3, stall: 6, follow: 3, attach: 3 };
  const workers = Object.entries(loads).flatMap(([name, load]) =>
    Array.from({ length: copies[name] ?? 1 }, () => work(load)),
  );
  while (left() > seconds * 0.85) {
    await rest(Math.min(15_000, seconds * 30));
    await stop(any(2) ? "SIGTERM" : "SIGKILL");
    done.restarts += 1;
    await start();
  }
  const samples = [];
  const pause = Math.max(3000, (left() * 1000) / 24 - 6000);
  await rest(pause); // until buffers and pools are full
  while (left() > 8) {
    await rest(pause);
    samples.push(await measure());
    if (engine.exitCode !== null) throw new Error(`the engine has ended with ${engine.exitCode}`);
  }
  await Promise.all(workers);
  console.log(JSON.stringify({ ...done, samples: samples.length }));
  if (samples.length < least_samples) throw new Error("too few samples; run it for longer");
  const flat = ["kib", "descriptors"].map((what) => is_flat(samples, what));
  if (flat.includes(false)) problem = "memory or descriptors grow";
  console.log(JSON.stringify((await health()).http));
  await stop("SIGTERM");
  if (!replay_a_week()) problem ||= "the week of virtual time has failed";
} catch (failure) {
  problem = failure.message;
}
engine?.kill("SIGKILL");
rmSync(directory, { recursive: true, force: true });
if (problem) console.log(`soak: ${problem}`);
process.exit(problem ? 1 : 0);
