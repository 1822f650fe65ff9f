// A page that has a Sentry SDK, in a real browser: what it throws is one alert, by whatever way it
// comes; and what the browser reports by itself.
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { build } from "esbuild";
import { start_chromium } from "./support/chromium.mjs";
import { start_page_server } from "./support/page_server.mjs";
import { start_real_engine } from "./support/real_engine.mjs";
import { wait_until } from "./support/wait_until.mjs";

const program = process.env.GASOLINE_BIN;

const sdk_script = async () => {
  const { outputFiles } = await build({
    stdin: { contents: 'export * from "@sentry/browser"', resolveDir: import.meta.dirname },
    bundle: true,
    format: "iife",
    globalName: "Sentry",
    write: false,
    logLevel: "error",
  });
  return outputFiles[0].text;
};

describe("a page with a Sentry SDK", { skip: program ? false : "GASOLINE_BIN is not set" }, () => {
  let browser;
  let app;
  let engine;
  let sdk;

  before(async () => {
    sdk = await sdk_script();
    browser = await start_chromium();
    app = await start_page_server();
  });

  beforeEach(async () => {
    app.reset();
    app.set_page("/sdk.js", sdk, { "Content-Type": "text/javascript" });
    engine = await start_real_engine(program);
  });

  after(async () => {
    await browser?.close();
    await app?.stop();
  });

  // What there is to see; an empty answer is a sentence alone.
  const items = async (args) => {
    const { text } = await engine.call_tool("observe", args);
    const json = text.split("\n")[1];
    return json ? JSON.parse(json).items : [];
  };

  const health = async () =>
    JSON.parse((await engine.call_tool("configure", { action: "health" })).text);

  const alerts = () => items({ what: "alerts", limit: 50 });

  const alert = (title) =>
    wait_until(
      async () => (await alerts()).find((a) => title.test(a.title)),
      () => `no alert ${title}`,
    );

  const observed = (args) =>
    wait_until(
      async () => {
        const found = await items(args);
        return found.length > 0 && found;
      },
      () => `observe ${JSON.stringify(args)} stayed empty`,
    );

  const set_page = (more, headers) =>
    app.set_page(
      "/",
      `${more}
      <script src="/sdk.js"></script>
      <script>
        Sentry.init({ dsn: "${engine.origin.replace("//", "//x@")}/1", release: "shop@1" });
      </script>
      <script>
        const checkout = () => { const cart = {}; cart.total(); };
      </script>
      <button id="add">Add</button>
      <button id="pay" onclick="checkout()">Pay</button>`,
      headers,
    );

  const visit = async () => {
    const page = await browser.newPage();
    await page.goto(app.origin);
    return page;
  };

  test("what it throws is an alert, with the click before it in the timeline", async () => {
    set_page("");
    const page = await visit();
    await page.click("#add");
    await page.click("#pay");
    const found = await alert(/^Uncaught TypeError: cart\.total is not a function$/);
    assert.match(found.detail, /at checkout \(/);
    assert.match(found.detail, /service shop/);
    const clicks = await observed({ what: "actions", origin: "sentry" });
    assert.equal(clicks[0].type, "click");
    assert.match(clicks[0].selector, /add/);
    await page.close();
    assert.equal(await engine.leave(), 0);
  });

  test("an error that the page script tells too is one alert", async () => {
    set_page(`<script src="${engine.origin}/gasoline.js"></script>`);
    const page = await visit();
    await page.click("#pay");
    // Asked of health, since an observe would show the alert of the first, and the second is then told anew.
    await wait_until(
      async () => (await health()).buffers.errors.entries === 2,
      () => "the error did not come by both ways",
    );
    await alert(/cart\.total is not a function/);
    assert.equal((await items({ what: "errors", origin: "sentry" })).length, 1);
    assert.equal((await items({ what: "errors", origin: "page" })).length, 1);
    assert.equal((await alerts()).length, 1);
    await page.close();
    assert.equal(await engine.leave(), 0);
  });

  test("what its policy refuses is reported by the browser itself", async () => {
    const reports = `${engine.origin}/reports`;
    set_page('<img src="https://images.invalid/x.png">', {
      "Content-Security-Policy": `img-src 'self'; report-uri ${reports}`,
    });
    const page = await visit();
    const [line] = await observed({ what: "logs", origin: "report" });
    assert.match(line.message, /^CSP: https:\/\/images\.invalid\/x\.png violates img-src$/);
    await alert(/^Security policy violation: CSP: https:\/\/images\.invalid/);
    await page.close();
    assert.equal(await engine.leave(), 0);
  });
});
