// Records sessions with a real toolchain in a real Chromium.
// Usage: GASOLINE_BIN=… node tests/signal/recorder/record.mjs TOOLCHAIN [SESSION…]
// APPS: where the apps are built, with their packages (default /tmp/gasoline-signal-apps).
import { execFileSync, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { start_chromium } from "../../browser/support/chromium.mjs";
import { wait_until } from "../../browser/support/wait_until.mjs";
import { make_hand } from "./hand.mjs";
import { make_recording } from "./recording.mjs";
import { sessions_of } from "./sessions.mjs";
import { start_shop_server } from "./shop_server.mjs";
import { toolchains } from "./toolchains.mjs";

const ports = { engine: 4290, api: 4291, closed: 4292 };
const sources = resolve(import.meta.dirname, "../apps");
const recordings = resolve(import.meta.dirname, "..");
const apps = process.env.APPS ?? join(tmpdir(), "gasoline-signal-apps");
const start_ms = 180_000;

const [name, ...chosen] = process.argv.slice(2);
const toolchain = toolchains[name];
const program = process.env.GASOLINE_BIN;
if (!toolchain || !program) {
  console.error(`Usage: GASOLINE_BIN=… node record.mjs ${Object.keys(toolchains).join("|")} [SESSION…]`);
  process.exit(2);
}
const app = join(apps, name);
const origin = `http://localhost:${toolchain.port}`;

const placeholders = {
  "%ENGINE%": `http://localhost:${ports.engine}`,
  "%LIVE%": `ws://localhost:${ports.api}/live`,
  "%API%": ports.api,
  "%CLOSED%": ports.closed,
};

const fill_in = (folder) => {
  for (const entry of readdirSync(folder, { recursive: true })) {
    const file = join(folder, entry);
    if (entry.includes("node_modules") || !statSync(file).isFile()) continue;
    let text = readFileSync(file, "utf8");
    if (!/%[A-Z]+%/.test(text)) continue;
    for (const [mark, value] of Object.entries(placeholders)) text = text.replaceAll(mark, value);
    writeFileSync(file, text);
  }
};

// The app with what all apps share, and its packages.
const lay_out_app = () => {
  mkdirSync(app, { recursive: true });
  for (const entry of readdirSync(app))
    if (!/^(node_modules|package-lock.json)$/.test(entry)) rmSync(join(app, entry), { recursive: true });
  cpSync(join(sources, name), app, { recursive: true });
  const shop = join(app, toolchain.shared ?? "");
  mkdirSync(shop, { recursive: true });
  cpSync(join(sources, "shared/shop.js"), join(shop, "shop.js"));
  if (toolchain.react) cpSync(join(sources, "shared/react"), join(app, toolchain.react), { recursive: true });
  fill_in(app);
  if (toolchain.command && !existsSync(join(app, "node_modules")))
    execFileSync("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts"], { cwd: app, stdio: "inherit" });
};

// Some of their tools talk to a terminal, to their makers, or to a newer self.
const quiet = { CI: "true", BROWSER: "none", NO_UPDATE_NOTIFIER: "1", NEXT_TELEMETRY_DISABLED: "1", NG_CLI_ANALYTICS: "false" };

const start_dev_server = async () => {
  if (!toolchain.command) return { stop: async () => {} };
  const child = spawn(process.execPath, toolchain.command(`${toolchain.port}`), {
    cwd: app,
    env: { ...process.env, ...quiet },
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
  let said = "";
  for (const out of [child.stdout, child.stderr]) out.on("data", (text) => (said = (said + text).slice(-4000)));
  const exit = new Promise((done) => child.on("exit", done));
  const answers = () => fetch(origin).then((answer) => answer.text().then(() => answer.ok), () => false);
  await wait_until(answers, () => said, start_ms);
  const stop = async () => {
    process.kill(-child.pid, "SIGTERM");
    const late = setTimeout(() => process.kill(-child.pid, "SIGKILL"), 3000);
    await exit;
    clearTimeout(late);
  };
  return { stop };
};

const start_engine = async (recording) => {
  const state_dir = mkdtempSync(join(tmpdir(), "gasoline-state-"));
  const child = spawn(program, ["serve", "--port", `${ports.engine}`, "--state-dir", state_dir, "--record", recording], { stdio: "ignore" });
  const exit = new Promise((done) => child.on("exit", done));
  exit.then((code) => code && console.error(`the engine ended with ${code}`));
  const url = `http://localhost:${ports.engine}`;
  await wait_until(() => fetch(`${url}/gasoline.js`).then(({ ok }) => ok, () => false), () => "the engine");
  const started = Date.parse(JSON.parse(readFileSync(recording, "utf8").split("\n")[0]).config.start);
  const stop = async () => {
    child.kill("SIGTERM");
    await exit;
    rmSync(state_dir, { recursive: true });
  };
  return { url, started, stop };
};

lay_out_app();
const browser = await start_chromium();
const shop = await start_shop_server(name == "plain" ? toolchain.port : ports.api, app);
// The plain pages ask another server than their own what is not below their origin.
const other = name == "plain" ? await start_shop_server(ports.api, app) : undefined;
const dev = { server: await start_dev_server() };
dev.restart = async (away_ms) => {
  await dev.server.stop();
  await new Promise((done) => setTimeout(done, away_ms));
  dev.server = await start_dev_server();
};
const work = mkdtempSync(join(tmpdir(), "gasoline-record-"));

const record = async (session) => {
  const from = join(work, `${session.name}.jsonl`);
  const engine = await start_engine(from);
  let hand;
  let ended;
  try {
    hand = await make_hand({ browser, app, origin, engine, shop, news: other ?? shop, dev, session, recording: from });
    await session.act(hand);
    await hand.settle();
    ended = Date.now();
  } finally {
    await hand?.leave();
    await engine.stop();
  }
  const kind = session.faults ? "fault" : "healthy";
  const { minutes, bytes } = make_recording({
    ...session,
    from,
    to: join(recordings, `real_${name}_${kind}_${session.name}.jsonl`),
    toolchain: name,
    pauses: hand.pauses,
    ended,
    names: [[apps, "/home/dev"]],
  });
  console.log(`${name} ${session.name}: ${minutes.toFixed(1)} min, ${bytes} bytes`);
};

try {
  for (const session of sessions_of(name)) {
    if (chosen.length && !chosen.includes(session.name)) continue;
    await record(session).catch((error) => console.error(`${name} ${session.name}: ${error.message}`));
  }
} finally {
  await browser.close();
  await dev.server.stop();
  await shop.stop();
  await other?.stop();
  rmSync(work, { recursive: true });
}
