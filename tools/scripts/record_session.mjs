// Records demo_session.jsonl anew: serves demo_page.html, lets headless Chromium use it as a person
// would, and writes down what the page script posts, with the calls of an agent and the results of a
// CI run in between. Node.js 18 or newer, no packages; Chromium as `chromium` or in CHROMIUM.
//
// Usage: node record_session.mjs PATH_TO_GASOLINE_JS [OUTPUT.jsonl]

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const here = path.dirname(fileURLToPath(import.meta.url));
const shop = "http://localhost:5173";
const banner_fast_ms = 60,
  banner_slow_ms = 4300;

/** What a person does on the page, an agent asks and a CI system reports, by second. */
const script = [
  [
    0,
    {
      call: "configure",
      arguments: {
        action: "streaming",
        streaming_action: "enable",
        events: ["all"],
        throttle_seconds: 1,
        severity_min: "info",
      },
    },
  ],
  [0.1, { visit: "/checkout" }],
  [1.3, { visit: "/checkout" }],
  [2.4, { visit: "/checkout" }],
  [3.4, { click: "#pay" }],
  [
    5.9,
    {
      post: "/ci-result",
      body: {
        status: "failure",
        source: "github-actions",
        ref: "refs/heads/discounts",
        commit: "4be1c09",
        summary: "2 of 318 tests failed",
        failures: [
          { name: "orders: applies a discount", message: "expected 201, received 500" },
          { name: "orders: keeps the old total", message: "expected 40, received undefined" },
        ],
        url: "http://localhost:3000/runs/918",
        duration_ms: 41200,
      },
    },
  ],
  [7.6, { click: "#details" }],
  [8.4, { visit: "/checkout", slow: true }],
  [14.0, { click: "#coupon" }],
  [14.3, { click: "#coupon" }],
  [14.6, { click: "#coupon" }],
  [16.8, { call: "observe", arguments: { what: "errors", limit: 20 } }],
  [
    17.4,
    {
      post: "/ci-result",
      body: {
        status: "success",
        source: "github-actions",
        ref: "refs/heads/discounts",
        commit: "a07f3d2",
        summary: "318 tests passed",
        failures: [],
        url: "http://localhost:3000/runs/919",
        duration_ms: 39800,
      },
    },
  ],
  [19.5, { call: "configure", arguments: { action: "streaming", streaming_action: "status" } }],
  [19.6, { call: "configure", arguments: { action: "streaming", streaming_action: "disable" } }],
];

/** Listens on 127.0.0.1 and answers the port. */
function listen(handler, port) {
  const server = http.createServer(handler);
  return new Promise((resolve, reject) => {
    server.on("error", reject);
    server.listen(port, "127.0.0.1", () => resolve({ server, port: server.address().port }));
  });
}

/** Takes the place of the engine: serves the page script and keeps what it posts. */
function collector(page_script, keep) {
  return (request, response) => {
    const headers = { "Access-Control-Allow-Origin": "*", "Access-Control-Allow-Headers": "*" };
    if (request.url.startsWith("/gasoline.js")) {
      response.writeHead(200, { ...headers, "Content-Type": "text/javascript" });
      return response.end(page_script);
    }
    let text = "";
    request.setEncoding("utf8");
    request.on("data", (piece) => (text += piece));
    request.on("end", () => {
      if (request.method === "POST") keep(request.url, JSON.parse(text));
      response.writeHead(200, { ...headers, "Content-Type": "application/json" });
      response.end("{}");
    });
  };
}

/** A drawing with enough in it for the browser to count it as the page's largest content. */
function banner() {
  const dots = Array.from(
    { length: 200 },
    (_, i) =>
      `<circle cx="${(i * 137) % 900}" cy="${(i * 61) % 420}" r="${4 + (i % 9)}" fill="#fff"/>`,
  );
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" width="900" height="420">' +
    `<rect width="900" height="420" fill="#c63"/>${dots.join("")}</svg>`
  );
}

function shop_server(page, state) {
  return async (request, response) => {
    const file = request.url.split("?")[0];
    if (file === "/api/orders") {
      response.writeHead(500, { "Content-Type": "application/json" });
      return response.end(
        '{"error":"column \\"discount\\" of relation \\"orders\\" does not exist"}',
      );
    }
    if (file === "/banner.svg") {
      await sleep(state.banner_ms);
      response.writeHead(200, { "Content-Type": "image/svg+xml", "Cache-Control": "no-store" });
      return response.end(banner());
    }
    response.writeHead(file === "/checkout" ? 200 : 404, {
      "Content-Type": "text/html; charset=utf-8",
    });
    response.end(file === "/checkout" ? page : "");
  };
}

/** Headless Chromium behind its debugging pipe: one JSON message, then NUL, each way. */
class browser {
  constructor(profile) {
    this.waiting = new Map();
    this.next_id = 1;
    this.child = spawn(
      process.env.CHROMIUM ?? "chromium",
      [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--remote-debugging-pipe",
        "--window-size=1200,900",
        `--user-data-dir=${profile}`,
      ],
      { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] },
    );
    let rest = "";
    this.child.stdio[4].setEncoding("utf8");
    this.child.stdio[4].on("data", (text) => {
      const messages = (rest + text).split("\0");
      rest = messages.pop();
      for (const message of messages.map((item) => JSON.parse(item))) {
        this.waiting.get(message.id)?.(message);
        this.waiting.delete(message.id);
      }
    });
  }

  async ask(method, params = {}) {
    const id = this.next_id++;
    const message = { id, method, params, sessionId: this.session };
    this.child.stdio[3].write(JSON.stringify(message) + "\0");
    const answer = await new Promise((resolve) => this.waiting.set(id, resolve));
    if (answer.error) throw new Error(`${method}: ${answer.error.message}`);
    return answer.result;
  }

  async open_page() {
    const { targetId } = await this.ask("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await this.ask("Target.attachToTarget", { targetId, flatten: true });
    this.session = sessionId;
  }

  visit(url) {
    return this.ask("Page.navigate", { url });
  }

  async click(selector) {
    const expression = `(() => { const r = document.querySelector('${selector}').getBoundingClientRect();
      return { x: r.x + r.width / 2, y: r.y + r.height / 2 }; })()`;
    const { result } = await this.ask("Runtime.evaluate", { expression, returnByValue: true });
    for (const type of ["mousePressed", "mouseReleased"])
      await this.ask("Input.dispatchMouseEvent", {
        type,
        ...result.value,
        button: "left",
        clickCount: 1,
      });
  }
}

async function record(script_file, output_file) {
  const rows = [];
  let started = performance.now();
  const keep = (row) =>
    rows.push({ at: `${((performance.now() - started) / 1000).toFixed(2)}s`, ...row });
  const state = { banner_ms: banner_fast_ms };
  const profile = mkdtempSync(path.join(os.tmpdir(), "gasoline-record-"));
  const engine = await listen(
    collector(readFileSync(script_file), (post, body) => keep({ post, body })),
    0,
  );
  const page = readFileSync(path.join(here, "demo_page.html"), "utf8").replace(
    "COLLECTOR",
    `http://127.0.0.1:${engine.port}`,
  );
  const site = await listen(shop_server(page, state), Number(new URL(shop).port));
  const chromium = new browser(profile);
  try {
    await chromium.open_page();
    await chromium.visit(`${shop}/checkout`); // a first load is slow for reasons of the browser's own
    await sleep(3000);
    await chromium.visit("about:blank");
    await sleep(500);
    rows.length = 0;
    const start = new Date().toISOString();
    started = performance.now();
    for (const [second, step] of script) {
      await sleep(Math.max(0, started + second * 1000 - performance.now()));
      if (step.visit) {
        state.banner_ms = step.slow ? banner_slow_ms : banner_fast_ms;
        await chromium.visit(shop + step.visit);
      } else if (step.click) {
        await chromium.click(step.click);
      } else {
        keep(step);
      }
    }
    const lines = [{ config: { start } }, ...rows].map((row) => JSON.stringify(row) + "\n");
    writeFileSync(
      output_file,
      lines.join("").replaceAll(`127.0.0.1:${engine.port}`, "127.0.0.1:7890"),
    );
    console.log(`${rows.length} lines in ${output_file}`);
  } finally {
    chromium.child.kill("SIGKILL");
    engine.server.close();
    site.server.close();
    await sleep(300); // Chromium's children still write to the profile
    rmSync(profile, { recursive: true, force: true });
  }
}

const [script_file, output_file = path.join(here, "demo_session.jsonl")] = process.argv.slice(2);
if (script_file === undefined) {
  console.error("Usage: node record_session.mjs PATH_TO_GASOLINE_JS [OUTPUT.jsonl]");
  process.exit(2);
}
record(script_file, output_file).then(
  () => process.exit(0),
  (error) => {
    console.error(error);
    process.exit(1);
  },
);
