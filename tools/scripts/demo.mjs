// Plays a recorded browser session into a real engine, as a page would, and shows what an agent's
// client reads on the engine's stdout. Node.js 18 or newer, no packages.
//
// Usage: node demo.mjs PATH_TO_GASOLINE SESSION.jsonl
//
// A session line is a scenario line: `at` and `post` with `body`, or `at` and `call`
// with `arguments`. A first line may be `config` with `start`, the time of the recording; every
// timestamp in the session is moved by the time that has passed since.

import { spawn } from "node:child_process";
import { mkdtempSync, existsSync, readFileSync, rmSync } from "node:fs";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const start_limit_ms = 10_000;
const answer_limit_ms = 5_000;
const exit_limit_ms = 2_000;
const immediate_ms = 100; // longer than that after the last POST, the throttle held it back
const label_width = 34;

const coloured = process.stdout.isTTY && !process.env.NO_COLOR && process.env.TERM !== "dumb";
const paint = (code) => (text) => (coloured ? `\x1b[${code}m${text}\x1b[0m` : text);
const bold = paint("1"),
  dim = paint("2"),
  cyan = paint("36"),
  green = paint("32");
const severity_paint = { error: paint("1;31"), warning: paint("33"), info: paint("34") };
const masked_paint = paint("30;43");

/** A failure that is told to the user as one sentence, without a stack. */
class demo_error extends Error {}

// --- the session file ---------------------------------------------------------------------------

function at_ms(text) {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(text);
  if (!match) throw new demo_error(`"at" is a time such as "1.5s", not ${JSON.stringify(text)}.`);
  return Number(match[1]) * { ms: 1, s: 1000, m: 60_000 }[match[2]];
}

function read_session(file) {
  const lines = readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.startsWith("//"));
  const rows = lines.map((line, index) => {
    try {
      return JSON.parse(line);
    } catch (error) {
      throw new demo_error(`Line ${index + 1} of the session is no JSON: ${error.message}`);
    }
  });
  const start = rows[0]?.config?.start;
  return {
    recorded_at: start === undefined ? undefined : Date.parse(start),
    steps: rows.filter((row) => row.post !== undefined || row.call !== undefined),
  };
}

/** The same value with every timestamp moved by `shift` milliseconds. */
function move_times(value, shift, key = "") {
  if (Array.isArray(value)) return value.map((item) => move_times(item, shift));
  if (value !== null && typeof value === "object")
    return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, move_times(v, shift, k)]));
  if (key !== "ts" && key !== "timestamp") return value;
  if (typeof value === "number") return value + shift;
  const parsed = Date.parse(value);
  return Number.isNaN(parsed) ? value : new Date(parsed + shift).toISOString();
}

// --- the engine and its client ------------------------------------------------------------------

/** The real program, spoken to over stdio as an editor does. */
class engine_client {
  constructor(binary, state_dir, on_notification) {
    this.state_dir = state_dir;
    this.waiting = new Map();
    this.next_id = 1;
    this.log = "";
    this.child = spawn(binary, ["mcp", "--port", "0", "--state-dir", state_dir], {
      stdio: ["pipe", "pipe", "pipe"],
    });
    this.ended = new Promise((resolve) => {
      this.child.on("error", (error) => resolve({ error }));
      this.child.on("exit", (code, signal) => resolve({ code, signal }));
    });
    this.child.stdin.on("error", () => {}); // an engine that has gone shows in `ended`
    this.child.stderr.on("data", (bytes) => (this.log = (this.log + bytes).slice(-4000)));
    let rest = "";
    this.child.stdout.setEncoding("utf8");
    this.child.stdout.on("data", (text) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop();
      for (const line of lines) this.receive(line, on_notification);
    });
  }

  receive(line, on_notification) {
    const message = JSON.parse(line);
    if (message.id === undefined) return on_notification(message, line);
    this.waiting.get(message.id)?.(message);
    this.waiting.delete(message.id);
  }

  send(message) {
    this.child.stdin.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n");
  }

  async request(method, params) {
    const id = this.next_id++;
    const answer = new Promise((resolve) => this.waiting.set(id, resolve));
    this.send({ id, method, params });
    const reply = await Promise.race([answer, this.ended, sleep(answer_limit_ms)]);
    if (reply?.result !== undefined) return reply.result;
    const reason =
      reply === undefined
        ? `no answer in ${answer_limit_ms / 1000} s`
        : (reply.error?.message ?? `the engine ended (exit code ${reply.code ?? reply.signal})`);
    throw new demo_error(`${method} failed: ${reason}.`);
  }

  async port() {
    const file = path.join(this.state_dir, "port");
    for (let waited = 0; waited < start_limit_ms; waited += 20) {
      const text = existsSync(file) ? readFileSync(file, "utf8").trim() : "";
      if (/^\d+$/.test(text)) return Number(text);
      await sleep(20);
    }
    throw new demo_error("The engine wrote no port file.");
  }

  /** Ends the engine as an editor does, by closing its stdin. */
  async close() {
    this.child.stdin.end();
    const end = await Promise.race([this.ended, sleep(exit_limit_ms)]);
    if (end === undefined) this.child.kill("SIGKILL");
    return end;
  }
}

/** One kept connection, as a browser has it. */
class page_sender {
  constructor(port) {
    this.port = port;
    this.agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  }

  send(method, route, body) {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const headers =
      text === undefined
        ? {}
        : {
            "Content-Type": "application/json",
            "Content-Length": Buffer.byteLength(text),
            Origin: "http://localhost:5173",
          };
    return new Promise((resolve, reject) => {
      const request = http.request(
        { host: "127.0.0.1", port: this.port, method, path: route, agent: this.agent, headers },
        (response) => {
          response.resume();
          response.on("end", () => resolve(response.statusCode));
        },
      );
      request.on("error", reject);
      request.end(text);
    });
  }

  close() {
    this.agent.destroy();
  }
}

// --- what is shown ------------------------------------------------------------------------------

const wide = () => Math.max(80, process.stdout.columns ?? 120);
const cut = (text, width) => (text.length <= width ? text : `${text.slice(0, width - 1)}…`);
const show_masks = (text) => text.replace(/\[REDACTED[^\]]*\]/g, (mask) => masked_paint(mask));

function timing_text(entry) {
  const {
    load,
    largest_contentful_paint: lcp,
    interaction_to_next_paint: inp,
  } = entry.timing ?? {};
  const parts = [
    ["load", load],
    ["LCP", lcp],
    ["INP", inp],
  ].filter(([, value]) => value !== undefined);
  if (parts.length === 0) return `layout shift ${entry.cumulative_layout_shift ?? "unknown"}`;
  return parts.map(([name, value]) => `${name} ${Math.round(value)} ms`).join(", ");
}

function entry_text(entry) {
  if (entry.timing !== undefined || entry.cumulative_layout_shift !== undefined)
    return `page ${entry.url}: ${timing_text(entry)}`;
  if (entry.initiator_type) return `${entry.name} loaded in ${entry.duration} ms`;
  if (entry.summary && entry.status) return `${entry.source} ${entry.status}: ${entry.summary}`;
  if (entry.selectors) return `${entry.type} ${entry.selectors.css ?? ""}`;
  if (entry.method) return `${entry.method} ${entry.url} ${entry.status}`;
  return entry.message ?? `${entry.event ?? entry.type} ${entry.url ?? ""}`;
}

function post_text(body) {
  const list = Object.values(body).find(Array.isArray);
  const entries = list === body.failures || list === undefined ? [body] : list;
  const more = entries.length > 1 ? `${entries.length} entries, first: ` : "";
  return more + entry_text(entries[0]);
}

class screen {
  constructor() {
    this.started = performance.now();
    this.last_post = 0;
    this.notifications = 0;
    this.masked = 0;
    this.fastest = Infinity;
  }

  row(who, text) {
    const at = ((performance.now() - this.started) / 1000).toFixed(1).padStart(5);
    console.log(`${dim(`${at}s`)}  ${who}  ${text}`);
  }

  posted(route, body) {
    const label = `page → POST ${route}`.padEnd(label_width);
    this.row(cyan(label), cut(post_text(body), wide() - label_width - 12));
  }

  called(tool, args) {
    const text = `${tool} ${JSON.stringify(args)}`;
    this.row(bold("agent → tools/call".padEnd(label_width)), cut(text, wide() - label_width - 12));
  }

  answered(result) {
    for (const block of result.content ?? [])
      for (const line of block.text.split("\n")) this.detail(line);
  }

  received(message, line) {
    if (message.method !== "notifications/message") return;
    const data = message.params.data;
    const waited = performance.now() - this.last_post;
    this.notifications += 1;
    this.masked += line.split("[REDACTED").length - 1;
    // A notification that comes long after the last POST was held back by the throttle.
    const speed =
      waited < immediate_ms
        ? `  (${waited.toFixed(1)} ms after the POST)`
        : "  (batched by the throttle)";
    if (waited < immediate_ms) this.fastest = Math.min(this.fastest, waited);
    const colour = severity_paint[data.severity] ?? ((text) => text);
    this.row(
      bold("agent ← notifications/message".padEnd(label_width)),
      colour(`${data.severity}: ${data.title}`) + dim(speed),
    );
    for (const member of data.alerts ?? []) this.detail(`${member.severity}: ${member.title}`);
    this.detail(line);
  }

  /** A line as it was received, cut to the screen; a mask further right is shown in its place. */
  detail(line) {
    const width = wide() - 10;
    const mask = line.indexOf("[REDACTED");
    const before = 40;
    const text =
      mask < width - before
        ? cut(line, width)
        : `${line.slice(0, width - 2 * before)} … ${cut(line.slice(mask - before), 2 * before - 3)}`;
    console.log(`        ${dim("│")} ${show_masks(text)}`);
  }
}

// --- the demo -----------------------------------------------------------------------------------

async function play(session, client, page, view) {
  const shift = session.recorded_at === undefined ? 0 : Date.now() - session.recorded_at;
  const started = performance.now();
  for (const step of session.steps) {
    await sleep(Math.max(0, started + at_ms(step.at) - performance.now()));
    if (step.call !== undefined) {
      view.called(step.call, step.arguments);
      view.answered(
        await client.request("tools/call", { name: step.call, arguments: step.arguments }),
      );
      continue;
    }
    const body = move_times(step.body, shift);
    view.posted(step.post, body);
    view.last_post = performance.now();
    const status = await page.send("POST", step.post, body);
    if (status >= 300) throw new demo_error(`POST ${step.post} was answered with ${status}.`);
  }
}

async function run(binary, session_file) {
  if (!existsSync(binary)) throw new demo_error(`There is no program ${binary}; build it first.`);
  const session = read_session(session_file);
  const state_dir = mkdtempSync(path.join(os.tmpdir(), "gasoline-demo-"));
  const view = new screen();
  const client = new engine_client(binary, state_dir, (message, line) =>
    view.received(message, line),
  );
  let page;
  try {
    const hello = await client.request("initialize", {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "gasoline-demo", version: "1" },
    });
    const ready_ms = performance.now() - view.started;
    client.send({ method: "notifications/initialized" });
    page = new page_sender(await client.port());
    await page.send("GET", "/health");
    console.log(
      bold(
        "A page and a CI run on the left, an agent on stdio on the right: live, through the real engine.",
      ),
    );
    view.row(
      green("engine".padEnd(label_width)),
      `${hello.serverInfo.name} ${hello.serverInfo.version}: initialize answered ${ready_ms.toFixed(0)} ms after exec, ` +
        `pages post to 127.0.0.1:${page.port}`,
    );
    await play(session, client, page, view);
    page.close();
    const end = await client.close();
    if (end?.code !== 0)
      throw new demo_error(
        `The engine should exit with 0 when its client leaves; it ended with ${JSON.stringify(end ?? "no exit")}.`,
      );
    view.row(green("engine".padEnd(label_width)), "client left, exit code 0");
    if (view.notifications === 0) throw new demo_error("No notification arrived.");
    const fastest =
      view.fastest === Infinity ? "" : `, the fastest ${view.fastest.toFixed(1)} ms after its POST`;
    console.log(
      bold(
        green(
          `The agent was told ${view.notifications} times${fastest}; ${view.masked} values were masked on the way.`,
        ),
      ),
    );
  } catch (error) {
    if (client.log !== "")
      process.stderr.write(`--- the engine's log ends with ---\n${client.log}\n`);
    throw error;
  } finally {
    page?.close();
    client.child.kill("SIGKILL");
    rmSync(state_dir, { recursive: true, force: true });
  }
}

const [binary, session_file] = process.argv.slice(2);
if (binary === undefined || session_file === undefined) {
  console.error("Usage: node demo.mjs PATH_TO_GASOLINE SESSION.jsonl");
  process.exit(2);
}
run(binary, session_file).then(
  () => process.exit(0),
  (error) => {
    console.error(error instanceof demo_error ? error.message : error);
    process.exit(1);
  },
);
