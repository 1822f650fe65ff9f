// From a real page to a line on stdout: the page script, the browser and the real engine, which is
// the program that GASOLINE_BIN names.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import { start_chromium } from "./support/chromium.mjs";
import { start_page_server } from "./support/page_server.mjs";
import { start_real_engine } from "./support/real_engine.mjs";
import { wait_until } from "./support/wait_until.mjs";

const program = process.env.GASOLINE_BIN;

describe("with the real engine", { skip: program ? false : "GASOLINE_BIN is not set" }, () => {
  let browser;
  let app;
  let engine;
  let page;

  before(async () => {
    engine = await start_real_engine(program);
    browser = await start_chromium();
    app = await start_page_server();
    const enabled = await engine.call_tool("configure", {
      action: "streaming",
      streaming_action: "enable",
      throttle_seconds: 1,
    });
    assert.ok(!enabled.isError, enabled.text);
    app.set_page("/", `<script src="${engine.origin}/gasoline.js"></script><h1>Title</h1>`);
    page = await browser.newPage();
    await page.goto(`${app.origin}/?q=1`);
  });

  after(async () => {
    await browser?.close();
    await app?.stop();
    assert.equal(await engine?.leave(), 0);
  });

  const told = (text) =>
    wait_until(
      () => engine.notifications().find((params) => JSON.stringify(params).includes(text)),
      () => `no notification with ${text} among ${JSON.stringify(engine.notifications())}`,
    );

  const observed = (what, text) =>
    wait_until(
      async () => {
        const result = await engine.call_tool("observe", { what });
        return !result.isError && result.text.includes(text) && result.text;
      },
      () => `observe ${what} never showed ${text}`,
    );

  test("the engine serves the script", async () => {
    const response = await fetch(`${engine.origin}/gasoline.js`);
    const script = await response.text();
    assert.equal(response.status, 200);
    assert.match(response.headers.get("content-type"), /javascript/);
    assert.ok(script.length > 0 && gzipSync(script, { level: 9 }).length <= 12288);
  });

  test("an uncaught error becomes a notification, and observe lists it", async () => {
    await page.evaluate(() => {
      setTimeout(() => {
        throw new TypeError("checkout total is undefined");
      });
    });
    const { level, data } = await told("checkout total is undefined");
    assert.equal(level, "error");
    assert.equal(data.category, "errors");
    await observed("errors", "checkout total is undefined");
  });

  test("a failing request becomes a notification, and observe shows its body", async () => {
    await page.evaluate(() => fetch("/fail"));
    const { data } = await told("/fail");
    assert.equal(JSON.stringify(data).includes("network_errors"), true);
    await observed("network_bodies", "database is down");
  });

  test("every other source arrives where observe looks for it", async () => {
    await page.evaluate(() => {
      console.warn("low on fuel");
      new WebSocket(location.origin.replace("http", "ws") + "/socket");
    });
    await page.click("h1");
    await observed("logs", "low on fuel");
    await observed("websocket_events", "told to");
    await observed("actions", "click");
    await observed("network_waterfall", "/fail");
    await observed("vitals", '"fcp"');
  });
});
