// One run of one agent: a home and a project of its own, set up by `gasoline setup`, its model scripted;
// and where a mark stands in what the model was sent.
import { spawn, spawnSync } from "node:child_process";
import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { scripted_model, sleep } from "./scripted_model.mjs";

export const binary = path.resolve(process.env.GASOLINE_BIN ?? "build/release/bin/gasoline");

const write = (file, content) => {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content, null, 2));
};

export class client_run {
  constructor(agent, installed) {
    this.agent = agent;
    this.installed = installed;
    this.root = mkdtempSync(path.join(tmpdir(), `gasoline-${agent.name}-`));
    const inside = (name) => {
      const directory = path.join(this.root, name);
      mkdirSync(directory);
      return directory;
    };
    this.home = inside("home");
    this.project = inside("project");
    this.state = inside("state");
    this.temporary = inside("tmp");
    this.settings = path.join(this.root, "gasoline.json");
    write(this.settings, { port: 0, state_dir: this.state });
    write(path.join(this.project, "notes.txt"), "nothing to see\n");
  }

  #environment(url) {
    return {
      PATH: [...this.installed.path, "/usr/local/bin", "/usr/bin", "/bin"].join(":"),
      HOME: this.home,
      TERM: "xterm-256color",
      LANG: "C.UTF-8",
      TMPDIR: this.temporary,
      NO_COLOR: "1",
      ...this.agent.env(url),
    };
  }

  #set_up(url) {
    const files = this.agent.files(this.home, this.project, url);
    for (const [file, content] of Object.entries(files)) write(path.join(this.home, file), content);
    if (this.installed.plugin)
      cpSync(
        path.join(this.installed.plugin, "node_modules"),
        path.join(this.home, this.agent.plugin_home, "node_modules"),
        { recursive: true },
      );
    const args = ["setup", this.agent.name, "--write", "--config", this.settings];
    const done = spawnSync(binary, args, { env: this.#environment(url), encoding: "utf8" });
    if (done.status !== 0) throw new Error(`gasoline ${args.join(" ")}: ${done.stderr}`);
  }

  // Runs the agent through the script of its model; a step's `before` and `after` may raise faults.
  async go(script, { timeout_ms = 120_000, prompt = "Work as told." } = {}) {
    const { search, called } = this.agent;
    this.model = await new scripted_model({
      script,
      search: search && { ...search, called },
    }).start();
    this.#set_up(this.model.url);
    const [out, err] = ["stdout", "stderr"].map((name) =>
      openSync(path.join(this.root, name), "w"),
    );
    const child = spawn(this.installed.bin, this.agent.args(prompt, this.model.url), {
      cwd: this.project,
      env: this.#environment(this.model.url),
      stdio: ["ignore", out, err],
      detached: true,
    });
    closeSync(out);
    closeSync(err);
    const exit = new Promise((done) => {
      child.on("exit", (code, signal) => done(code ?? signal));
      child.on("error", (problem) => done(String(problem)));
    });
    const in_time = new AbortController();
    const late = pause(timeout_ms, "timeout", { signal: in_time.signal }).catch(() => "in time");
    this.code = await Promise.race([exit, late]);
    in_time.abort();
    this.#end_group(child.pid);
    this.stderr = readFileSync(path.join(this.root, "stderr"), "utf8");
    await this.#end_leftovers();
    this.model.stop();
    return this;
  }

  #end_group(pid) {
    try {
      process.kill(-pid, "SIGTERM");
    } catch {
      // It has ended, and so has all that it started.
    }
  }

  // Some agents leave a helper behind; this run's own processes name its folder.
  async #end_leftovers() {
    for (const signal of ["SIGTERM", "SIGKILL"]) {
      await sleep(500);
      for (const pid of processes_of(this.root))
        try {
          process.kill(pid, signal);
        } catch {
          // It has ended in between.
        }
    }
  }

  async port() {
    const file = path.join(this.state, "port");
    for (let n = 0; n < 1000; n += 1) {
      const port = existsSync(file) ? Number.parseInt(readFileSync(file, "utf8"), 10) : 0;
      if (port > 0) return port;
      await sleep(20);
    }
    throw new Error("the engine is not up");
  }

  // The page of the project throws.
  async fault(mark) {
    const response = await fetch(`http://127.0.0.1:${await this.port()}/logs`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        entries: [
          {
            ts: new Date().toISOString(),
            level: "error",
            type: "exception",
            message: `Uncaught TypeError: ${mark} is not a function`,
            url: "http://localhost:3000/cart",
            stack: `TypeError: ${mark} is not a function\n    at checkout (http://localhost:3000/app.js:41:7)`,
          },
        ],
      }),
    });
    if (!response.ok) throw new Error(`POST /logs: ${response.status} ${await response.text()}`);
  }

  // Where the mark stands: [{request, step, field, count, bytes}].
  find(mark) {
    return this.model.requests.flatMap((request) => sightings(request, mark));
  }

  clean() {
    if (!process.env.GASOLINE_KEEP_RUNS) rmSync(this.root, { recursive: true, force: true });
  }
}

const processes_of = (root) =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => {
      try {
        const read = (file) => readFileSync(`/proc/${pid}/${file}`, "utf8");
        return read("cmdline").includes(root) || read("environ").includes(root);
      } catch {
        return false; // ended, or somebody else's
      }
    })
    .map(Number);

// The bytes of what Gasoline said, out of the text that it stands in.
const spoken_bytes = (text) => {
  const begin = Math.max(text.indexOf("Gasoline: "), text.indexOf("--- ALERTS ("), 0);
  return Buffer.byteLength(text.slice(begin));
};

const sightings = (request, mark) => {
  const out = [];
  const walk = (value, at) => {
    if (typeof value === "string") {
      if (value.includes(mark))
        out.push({
          request: request.number,
          step: request.step,
          field: field_of(request, at),
          count: value.split(mark).length - 1,
          lines: value.split("\n").filter((line) => line.includes(mark)),
          bytes: spoken_bytes(value),
        });
    } else if (value && typeof value === "object") {
      for (const [key, inner] of Object.entries(value)) walk(inner, [...at, key]);
    }
  };
  walk(request.body, []);
  return out;
};

export const field_of = ({ protocol, body }, at) => {
  const below = (...keys) => keys.reduce((value, key) => value?.[key], body);
  if (at[0] === "tools") return "tools";
  if (protocol === "anthropic") {
    if (at[0] === "system") return "system";
    const message = below("messages", at[1]);
    const type = message?.content?.[at[3]]?.type;
    if (type === "tool_result") return "tool result";
    return message?.role === "user" ? "user text" : `${message?.role} message`;
  }
  if (protocol === "responses") {
    if (at[0] === "instructions") return "system";
    const item = below("input", at[1]);
    return /call_output/.test(item?.type) ? "tool result" : `${item?.role ?? item?.type} message`;
  }
  if (protocol === "chat") {
    const role = below("messages", at[1])?.role;
    return { tool: "tool result", user: "user text" }[role] ?? `${role} message`;
  }
  const part = below("contents", at[1], "parts", at[3]);
  return part?.functionResponse ? "tool result" : `${below("contents", at[1])?.role} text`;
};
