// Ten tasks in a browser: ours, chrome-devtools-mcp and @playwright/mcp, each through its real server with
// the same Chromium on the same pages. Fails where a task of ours is not done, or where a peer that does
// it needs fewer calls or bytes. Times are told, and judged by the reader: machines differ.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { start_shop } from "../answers/shop.mjs";
import { start_app } from "./app.mjs";
import { start_devtools, start_gasoline, start_playwright } from "./servers.mjs";
import { tasks } from "./tasks.mjs";

const binary = resolve(process.argv[2]);
process.chdir(mkdtempSync(join(tmpdir(), "gasoline-tasks-"))); // peers write files where they are started
const rounds = Number(process.env.ROUNDS ?? 3);
const beacon_ms = 3000;

const is_done = async (task, deeds) => {
  const missing = () => (task.does ?? []).filter((deed) => !deeds.includes(deed));
  for (let waited = 0; missing().length && waited < beacon_ms; waited += 50) await sleep(50);
  return !missing().length && !(task.leaves ?? []).some((deed) => deeds.includes(deed));
};

const attempt = async (server, task, origin, deeds) => {
  deeds.length = 0;
  server.take_costs();
  const begun = performance.now();
  let text = "";
  try {
    text = await task[server.name](server.call, (path) => origin + path);
  } catch (error) {
    text = `${error}`;
  }
  const ms = performance.now() - begun;
  const learned = (task.learns ?? []).every((pattern) => pattern.test(text));
  return { ...server.take_costs(), ms, done: (await is_done(task, deeds)) && learned };
};

const best_of = async (...parts) => {
  const all = [];
  for (let i = 0; i < rounds; i++) all.push(await attempt(...parts));
  const done = all.every((each) => each.done);
  const ms = Math.min(...all.map((each) => each.ms));
  return { ...all.at(-1), done, ms };
};

const cell = ({ calls, bytes, ms, done }) =>
  `${calls} / ${bytes} / ${Math.round(ms)}${done ? "" : " *"}`;

const servers = [await start_gasoline(binary), await start_devtools(), await start_playwright()];
const app = await start_app();
const shop = await start_shop(join(import.meta.dirname, "../answers"), "");
const problems = [];
console.log("| task | gasoline | chrome-devtools-mcp | @playwright/mcp |\n|---|---|---|---|");
for (const task of tasks) {
  const origin = task.built ? shop.built_origin : app.origin;
  const row = [];
  for (const server of servers) row.push(await best_of(server, task, origin, app.deeds));
  console.log(`| ${task.name} | ${row.map(cell).join(" | ")} |`);
  const [ours, ...theirs] = row;
  if (!ours.done) problems.push(`${task.name}: not done`);
  for (const unit of ["calls", "bytes"])
    if (theirs.some((peer) => peer.done && peer[unit] < ours[unit]))
      problems.push(`${task.name}: not the fewest ${unit}`);
}
console.log(`\nCalls / bytes of all answers without alerts that came along / milliseconds, the least of ${rounds}; * was not done.`);
for (const problem of problems) console.log(problem);
await app.stop();
await shop.stop();
for (const server of servers) await server.stop();
process.exit(problems.length ? 1 : 0);
