// Pages and browsers of every kind: old ones, strict ones, other ways to load the script.
import assert from "node:assert/strict";
import { test } from "node:test";
import { watched_page } from "./support/watched_page.mjs";

const web = watched_page();

// What the oldest browsers lack that the README names: Safari 15.4, Firefox 115.
const missing_in_old_browsers = () => {
  for (const [owner, names] of [
    [AbortSignal, ["timeout", "any"]],
    [window, ["CompressionStream", "requestIdleCallback", "navigation", "scheduler"]],
    [Error, ["captureStackTrace"]],
    [PerformanceResourceTiming.prototype, ["responseStatus", "contentType"]],
    [PerformanceNavigationTiming.prototype, ["activationStart"]],
    [performance.constructor.prototype, ["interactionCount", "eventCounts"]],
    [Element.prototype, ["role", "checkVisibility"]],
    [Document.prototype, ["prerendering", "wasDiscarded"]],
  ])
    for (const name of names) delete owner[name];
};

test("browsers without the newest interfaces are served as well", async () => {
  await web.page.addInitScript(missing_in_old_browsers);
  const faults = [];
  web.page.on("pageerror", (error) => faults.push(error.message));
  await web.open_with(`<button id="go">Go</button><img src="/missing.png">`);
  await web.page.evaluate(async () => {
    console.warn("old", { a: 1 });
    await fetch("/fail");
    new WebSocket(location.origin.replace("http", "ws") + "/socket");
    setTimeout(() => {
      throw new Error("thrown");
    });
  });
  await web.page.click("#go");
  await web.log(({ message }) => message == 'old {"a":1}');
  await web.log(({ message }) => message == "Uncaught Error: thrown");
  const { response_body } = await web.request(({ url }) => url.endsWith("/fail"));
  assert.match(response_body, /database is down/);
  await web.request(({ url }) => url.endsWith("/missing.png"));
  await web.engine.entry("websocket-events", ({ event }) => event == "close");
  await web.engine.entry("enhanced-actions", ({ type }) => type == "click");
  await web.engine.entry("network-waterfall", () => true);
  await web.engine.entry("performance-snapshots", () => true);
  assert.deepEqual(faults, ["thrown"]);
});

test("a second copy does nothing", async () => {
  await web.open_with(web.tag() + `<script>console.error("once")</script>`);
  await web.settle();
  assert.equal(web.engine.entries("logs").filter(({ message }) => message == "once").length, 1);
});

test("an async tag and one with crossorigin work as well", async () => {
  for (const attribute of ["async", "defer", "crossorigin"]) {
    web.app.set_page("/tags", web.tag().replace("<script", `<script ${attribute}`));
    await web.page.goto(`${web.app.origin}/tags?${attribute}`);
    await web.page.evaluate((text) => console.error(text), attribute);
    await web.log(({ message }) => message == attribute);
  }
  web.app.set_page("/module", web.tag().replace("<script", '<script type="module"'));
  const faults = [];
  web.page.on("pageerror", (error) => faults.push(error));
  await web.page.goto(`${web.app.origin}/module`);
  assert.deepEqual(faults, []);
});

test("a page that forbids document.write is watched as well", async () => {
  await web.open_with(`<script>console.error("strict")</script>`, {
    "Content-Security-Policy": "require-trusted-types-for 'script'",
  });
  await web.log(({ message }) => message == "strict");
});

test("a page with nonces is watched as well", async () => {
  web.app.set_page("/nonce", web.tag().replace("<script", '<script nonce="n0"'), {
    "Content-Security-Policy": "script-src 'nonce-n0'",
  });
  await web.page.goto(`${web.app.origin}/nonce`);
  await web.page.evaluate(() => console.error("by nonce"));
  await web.log(({ message }) => message == "by nonce");
});

test("a page that locks its globals still is watched as far as it goes", async () => {
  web.app.set_page("/locked", `<script>Object.freeze(console)</script>${web.tag()}`);
  await web.page.goto(`${web.app.origin}/locked`);
  await web.page.evaluate(() => {
    console.log("as ever");
    setTimeout(() => {
      throw new Error("seen");
    });
  });
  await web.log(({ message }) => message == "Uncaught Error: seen");
});
