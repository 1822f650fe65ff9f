// The servers that do the tasks, each with a browser of its own, and what each call costs.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { start_client } from "../answers/mcp_client.mjs";

const browser_path = process.env.CHROMIUM ?? "/usr/bin/chromium";
const bin = (name) => join(import.meta.dirname, "../answers/node_modules/.bin", name);

const counted = (name, client, arguments_of = (_, args) => args) => {
  const costs = { calls: 0, bytes: 0 };
  const call = async (tool, args = {}) => {
    const text = await client.call(tool, arguments_of(tool, args));
    costs.calls++;
    // Alerts that come along are not asked for, and a conversation is told each once.
    costs.bytes += Buffer.byteLength(text.split(/\n(?=--- ALERTS )/)[0]);
    if (process.env.SHOW) console.log(`--- ${name}: ${tool} ${JSON.stringify(args)}\n${text.slice(0, 3000)}`);
    return text;
  };
  const take_costs = () => {
    const taken = { ...costs };
    costs.calls = costs.bytes = 0;
    return taken;
  };
  return { name, call, take_costs, stop: client.stop };
};

export const start_gasoline = async (binary) =>
  counted(
    "gasoline",
    await start_client(binary, [
      "mcp",
      "--port=0",
      `--state-dir=${mkdtempSync(join(tmpdir(), "gasoline-tasks-"))}`,
      "--headless",
      `--browser-path=${browser_path}`,
    ]),
  );

export const start_devtools = async () => {
  const without_page = ["list_pages", "new_page"];
  return counted(
    "devtools",
    await start_client(bin("chrome-devtools-mcp"), [
      `--executablePath=${browser_path}`,
      "--headless",
      "--isolated",
      "--chromeArg=--no-sandbox",
    ]),
    (tool, args) => (without_page.includes(tool) ? args : { pageId: 1, ...args }),
  );
};

export const start_playwright = async () =>
  counted(
    "playwright",
    await start_client(bin("playwright-mcp"), [
      `--executable-path=${browser_path}`,
      "--headless",
      "--isolated",
      "--no-sandbox",
    ]),
  );
