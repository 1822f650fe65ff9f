// A browser in use for long: each second a page is opened, says something, is clicked in and closed again,
// and healthy as it is, nothing may be alerted. At its end the engine's memory and descriptors have to be
// where they were after the first fifth, to 2 %. Usage: node browser_soak.mjs GASOLINE [SECONDS]   (3600)
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { setTimeout as rest } from "node:timers/promises";

const [binary, given = "3600"] = process.argv.slice(2);
const seconds = Number(given);
if (!binary || !(seconds >= 30)) {
  console.error("Usage: node tools/scripts/browser_soak.mjs GASOLINE [SECONDS]   (at least 30)");
  process.exit(2);
}

const drift_allowed = 0.02;
const least_drift = { kib: 4096, descriptors: 2 }; // less than this is noise
const directory = mkdtempSync(join(tmpdir(), "gasoline-browser-soak-"));

// Buffers so small that they are full before the first measurement.
const limits = { client_tool_calls_per_minute: 1_000_000 };
for (const buffer of ["error", "log", "body", "websocket", "waterfall", "action", "performance"])
  Object.assign(limits, { [`store_${buffer}_entries`]: 50, [`store_${buffer}_bytes`]: 1 << 20 });
writeFileSync(join(directory, "config.json"), JSON.stringify({ limits }), { mode: 0o600 });

const page = `<title>Healthy</title><button onclick="n.textContent++">More</button><p id=n>0</p>
  <iframe srcdoc="<p>inner"></iframe><script>
  console.log("opened", { at: location.search }); fetch("/api");
  new Worker(URL.createObjectURL(new Blob(["console.log('worker')"])));</script>`;
const server = createServer((request, response) =>
  request.url.startsWith("/api")
    ? response.writeHead(200, { "Content-Type": "application/json" }).end("{}")
    : response.writeHead(200, { "Content-Type": "text/html" }).end(page),
);
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const origin = `http://127.0.0.1:${server.address().port}`;

const engine = spawn(
  binary,
  ["mcp", "--port=0", `--state-dir=${directory}`, `--config=${join(directory, "config.json")}`, "--headless"],
  { stdio: ["pipe", "pipe", "ignore"] },
);
const end_too_soon = (code, signal) => {
  console.error(`The engine has ended: ${signal ?? `exit code ${code}`}. Its directory is ${directory}.`);
  process.exit(1);
};
engine.once("exit", end_too_soon);
const waiting = new Map();
createInterface({ input: engine.stdout }).on("line", (line) => {
  const message = JSON.parse(line);
  waiting.get(message.id)?.(message.result ?? message.error);
  waiting.delete(message.id);
});
let last = 0;
const request = (method, params) =>
  new Promise((resolve) => {
    waiting.set(++last, resolve);
    engine.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: last, method, params })}\n`);
  });
const call = async (name, args) => {
  const { content, isError } = await request("tools/call", { name, arguments: args });
  const text = content.map(({ text }) => text).join("\n");
  if (isError) throw new Error(`${name} ${JSON.stringify(args)}: ${text}`);
  return text;
};
await request("initialize", {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "soak", version: "1" },
});

const measure = () => {
  const status = readFileSync(`/proc/${engine.pid}/status`, "utf8");
  return {
    kib: Number(/VmRSS:\s+(\d+)/.exec(status)[1]),
    descriptors: readdirSync(`/proc/${engine.pid}/fd`).length,
  };
};

let rounds = 0;
let alerts = "";
const turn = async () => {
  const opened = await call("interact", { action: "tabs", do: "open", url: `${origin}/?${++rounds}` });
  const handle = opened.match(/\bp\d+\b/)?.[0];
  for (const action of ["click", "snapshot"])
    await call("interact", { action, ...(action == "click" && { text: "More" }) });
  const closed = await call("interact", { action: "tabs", do: "close", ...(handle && { page: handle }) });
  const told = [opened, closed].find((text) => text.includes("--- ALERTS"));
  alerts ||= told ?? "";
};

const begun = Date.now();
let early;
while (Date.now() - begun < seconds * 1000) {
  const next = rest(1000);
  await turn();
  if (!early && Date.now() - begun > (seconds * 1000) / 5) early = measure();
  await next;
}
const late = measure();
const health = JSON.parse((await call("configure", { action: "health" })).replace(/^[^{]*/, ""));
console.log(`${rounds} pages; first ${JSON.stringify(early)}, last ${JSON.stringify(late)}, ${JSON.stringify(health.browser)}`);
const problems = Object.keys(late)
  .filter((name) => late[name] - early[name] > Math.max(least_drift[name], early[name] * drift_allowed))
  .map((name) => `${name} grew from ${early[name]} to ${late[name]}`);
if (alerts) problems.push(`healthy pages were alerted: ${alerts}`);
if (health.browser.pages > 1) problems.push(`${health.browser.pages} pages are left`);
for (const problem of problems) console.log(problem);
engine.off("exit", end_too_soon);
engine.stdin.end();
await new Promise((resolve) => engine.once("exit", resolve));
server.closeAllConnections();
server.close();
rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
process.exit(problems.length ? 1 : 0);
