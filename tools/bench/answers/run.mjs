// Bytes and tokens of answers to common questions: ours, chrome-devtools-mcp's and @playwright/mcp's,
// each through its real server on the same pages. Fails where an answer lacks what it must contain,
// or where ours is not the smallest of those that have it. Alerts that come along with an answer are
// counted apart: nobody has asked for them, and a conversation is told each once.
import { countTokens as claude_tokens } from "@anthropic-ai/tokenizer";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { questions } from "./questions.mjs";
import { start_devtools, start_gasoline, start_playwright } from "./servers.mjs";
import { start_shop } from "./shop.mjs";

const [binary] = process.argv.slice(2);
const show = process.env.SHOW;
const alert_block = /\n(?=--- ALERTS )/;

const ask = async (server, shop, question) => {
  const origin = question.built ? shop.built_origin : shop.origin;
  await server.visit(origin, question.clicks);
  if (question.leaves) await server.leave(origin);
  let text = "";
  for (const [name, args] of question[server.name]) {
    const given = typeof args == "function" ? args(text) : args;
    text += (text ? "\n" : "") + (await server.call(name, given));
  }
  const [answer, ...alerts] = text.split(alert_block);
  const missing = question.must.filter((pattern) => !pattern.test(answer));
  if (show) console.log(`\n--- ${server.name}: ${question.name}\n${text}`);
  return {
    calls: question[server.name].length,
    bytes: Buffer.byteLength(answer),
    o200k: encode(answer).length,
    claude: claude_tokens(answer),
    alerts: Buffer.byteLength(alerts.join("")),
    missing,
  };
};

const cell = ({ calls, bytes, o200k, claude, alerts, missing }) =>
  `${bytes} / ${o200k} / ${claude}` +
  (alerts ? ` + ${alerts}` : "") +
  (calls > 1 ? `, ${calls} calls` : "") +
  (missing.length ? " *" : "");

const engine = await start_gasoline(binary);
const servers = [engine, await start_devtools(), await start_playwright()];
const shop = await start_shop(import.meta.dirname, engine.script);
const problems = [];
console.log("| question | gasoline | chrome-devtools-mcp | @playwright/mcp |\n|---|---|---|---|");
for (const question of questions) {
  const row = [];
  for (const server of servers) row.push(await ask(server, shop, question));
  console.log(`| ${question.name} | ${row.map(cell).join(" | ")} |`);
  const [ours, ...theirs] = row;
  if (ours.missing.length) problems.push(`${question.name}: lacks ${ours.missing.join(", ")}`);
  for (const unit of ["bytes", "o200k", "claude"])
    if (theirs.some((peer) => !peer.missing.length && peer[unit] < ours[unit]))
      problems.push(`${question.name}: not the fewest ${unit}`);
}
console.log("\nBytes / tokens of o200k / tokens of Claude + bytes of alerts that came along; * lacks what it must say.");
for (const problem of problems) console.log(problem);
await shop.stop();
for (const server of servers) await server.stop();
process.exit(problems.length ? 1 : 0);
