// What the person does in a session: opens pages, clicks, types, saves files, goes away for a while.
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const settle_ms = 900;
const still_ms = 700;
// Vitals are told two seconds after the load.
const load_ms = 2300;
const filtered = /google-analytics|googletagmanager|plausible/;

// An ad blocker ends such requests in the browser; without one they are answered.
const answer_measuring = (blocks) => (route) =>
  blocks
    ? route.abort("blockedbyclient")
    : route.fulfill({ status: 204, headers: { "Access-Control-Allow-Origin": "*" } });

export const make_hand = async ({ browser, app, origin, engine, shop, news, dev, session, recording }) => {
  const context = await browser.newContext();
  await context.route(filtered, answer_measuring(session.blocks));
  const page = await context.newPage();
  const pauses = [];
  const saved = new Map();
  const hand = { page, context, pauses, shop, news, dev, wait: sleep };

  // Until nothing more comes to the engine.
  hand.settle = async () => {
    await sleep(settle_ms);
    for (let size = -1; size != statSync(recording).size; await sleep(still_ms))
      size = statSync(recording).size;
  };
  // Nobody does anything for a while: the page is left alone, and the recording is spaced out.
  hand.away = async (seconds) => {
    await hand.settle();
    pauses.push({ at_ms: Date.now() - engine.started, add_ms: seconds * 1000 });
  };
  hand.open = async (path = "/") => {
    await page.goto(origin + path, { waitUntil: "load", timeout: 60_000 });
    await sleep(load_ms);
    await hand.settle();
  };
  hand.reload = async () => {
    await page.reload({ waitUntil: "load", timeout: 60_000 });
    await sleep(load_ms);
    await hand.settle();
  };
  hand.click = async (id) => {
    await page.click(`#${id}`, { timeout: 10_000 });
    await sleep(700);
  };
  hand.type = async (text) => {
    await page.fill("#search", "");
    await page.locator("#search").pressSequentially(text, { delay: 60 });
    await sleep(400);
  };
  // Saves a file with `from` replaced.
  hand.save = async ([file, from, to]) => {
    const path = join(app, file);
    const text = readFileSync(path, "utf8");
    if (!saved.has(path)) saved.set(path, text);
    if (!text.includes(from)) throw new Error(`${file} has no ${from}`);
    writeFileSync(path, text.replace(from, to));
    await sleep(1500);
    await hand.settle();
  };
  hand.repair = async () => {
    for (const [path, text] of saved) writeFileSync(path, text);
    saved.clear();
    await sleep(1500);
    await hand.settle();
  };
  // What the content script of an extension does in the page.
  hand.extension = async () => {
    await page.evaluate(() => {
      const source = "//# sourceURL=chrome-extension://abcdefghijklmnopabcdefghijklmnop/content.js";
      const script = document.createElement("script");
      script.textContent = `
        console.error("Unchecked runtime.lastError: Could not establish connection. Receiving end does not exist.");
        Promise.reject(new Error("Extension context invalidated."));
        setTimeout(() => { throw new Error("A listener indicated an asynchronous response by returning true, but the message channel closed before a response was received"); }, 0);
        ${source}`;
      document.head.append(script);
    });
    await hand.settle();
  };
  hand.tell_ci = async (result) => {
    await fetch(`${engine.url}/ci-result`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(result),
    });
    await sleep(200);
  };
  hand.leave = async () => {
    await context.close();
    if (saved.size) await hand.repair();
  };
  return hand;
};
