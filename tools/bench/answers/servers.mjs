// The servers that are asked, each with a browser of its own on the same pages.
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { chromium } from "playwright-core";
import { start_client } from "./mcp_client.mjs";

const browser_path = process.env.CHROMIUM ?? "/usr/bin/chromium";
const bin = (name) => join(import.meta.dirname, "node_modules/.bin", name);
const click = (selector) => `() => document.querySelector(${JSON.stringify(selector)}).click()`;

// What a page sends in batches has come by then, and effects have run.
const settling_ms = 2500;

const start_engine = async (binary) => {
  const state_dir = mkdtempSync(join(tmpdir(), "gasoline-answers-"));
  const client = await start_client(binary, ["mcp", "--port", "0", "--state-dir", state_dir]);
  let port;
  for (let tries = 0; !port && tries < 100; tries++) {
    await sleep(50);
    try {
      port = readFileSync(join(state_dir, "port"), "utf8").trim();
    } catch {
      port = undefined;
    }
  }
  return { ...client, script: `http://localhost:${port}/gasoline.js` };
};

export const start_gasoline = async (binary) => {
  const engine = await start_engine(binary);
  const browser = await chromium.launch({
    executablePath: browser_path,
    args: ["--headless", "--no-sandbox", "--disable-gpu"],
  });
  const page = await browser.newPage();
  const visit = async (origin, selectors) => {
    await page.goto(`${origin}/watched.html`);
    await page.waitForSelector("#tax");
    await engine.call("configure", { action: "clear" });
    for (const selector of selectors) await page.evaluate(`(${click(selector)})()`);
    await sleep(settling_ms);
  };
  const leave = (origin) => page.goto(`${origin}/watched.html?next`);
  const stop = async () => {
    await browser.close();
    await engine.stop();
  };
  return { name: "gasoline", visit, leave, call: engine.call, stop, script: engine.script };
};

export const start_devtools = async () => {
  const client = await start_client(bin("chrome-devtools-mcp"), [
    "--executablePath",
    browser_path,
    "--headless",
    "--isolated",
    "--chromeArg=--no-sandbox",
  ]);
  let page = 1;
  const of_page = (name) => !["list_pages", "new_page"].includes(name);
  const call = (name, args) => client.call(name, of_page(name) ? { pageId: page, ...args } : args);
  const visit = async (origin, selectors) => {
    await call("navigate_page", { type: "url", url: `${origin}/` });
    for (const selector of selectors) await call("evaluate_script", { function: click(selector) });
    await sleep(settling_ms);
  };
  const leave = (origin) => call("navigate_page", { type: "url", url: `${origin}/?next` });
  return { name: "devtools", visit, leave, call, stop: client.stop };
};

export const start_playwright = async () => {
  const client = await start_client(bin("playwright-mcp"), [
    "--executable-path",
    browser_path,
    "--headless",
    "--isolated",
    "--no-sandbox",
  ]);
  const visit = async (origin, selectors) => {
    await client.call("browser_navigate", { url: `${origin}/` });
    for (const selector of selectors)
      await client.call("browser_evaluate", { function: click(selector) });
    await sleep(settling_ms);
  };
  const leave = (origin) => client.call("browser_navigate", { url: `${origin}/?next` });
  return { name: "playwright", visit, leave, call: client.call, stop: client.stop };
};
