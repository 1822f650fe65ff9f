// From what was done in a real page to a program that does it again: what `generate` writes runs with
// Playwright, shows the fault while it is there, and no longer once it is gone.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { start_chromium } from "./support/chromium.mjs";
import { start_page_server } from "./support/page_server.mjs";
import { start_real_engine } from "./support/real_engine.mjs";
import { wait_until } from "./support/wait_until.mjs";

const program = process.env.GASOLINE_BIN;
const chromium = process.env.CHROMIUM ?? "/usr/bin/chromium";
const modules = join(import.meta.dirname, "node_modules");

const run = (cwd, ...args) =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd, env: { ...process.env, CHROMIUM: chromium } });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += text));
    child.on("close", (code) => resolve({ code, output }));
  });

describe("generated programs", { skip: program ? false : "GASOLINE_BIN is not set" }, () => {
  let app;
  let browser;
  let engine;
  let folder;
  let page;

  before(async () => {
    app = await start_page_server();
  });

  beforeEach(async () => {
    app.reset();
    engine = await start_real_engine(program);
    browser = await start_chromium();
    page = await browser.newPage();
    folder = join(engine.state_dir, "generated");
    mkdirSync(folder, { mode: 0o700 });
    symlinkSync(modules, join(folder, "node_modules"));
    writeFileSync(join(folder, "package.json"), '{"type":"module"}');
    writeFileSync(
      join(folder, "playwright.config.mjs"),
      `export default { testMatch: "*.spec.mjs", workers: 1, reporter: "line",
        use: { launchOptions: { executablePath: ${JSON.stringify(chromium)}, args: ["--no-sandbox"] } } };`,
    );
  });

  afterEach(async () => {
    await browser?.close();
    await engine?.leave();
  });

  after(async () => {
    await app?.stop();
  });

  const html = (body) =>
    `<!doctype html><script src="${engine.origin}/gasoline.js"></script><body>${body}</body>`;

  const heard = (what, text) =>
    wait_until(
      async () => (await engine.call_tool("observe", { what, max_bytes: 60000 })).text.includes(text),
      () => `observe ${what} never showed ${text}`,
    );

  const generate = async (what, file, more) => {
    const path = join(folder, file);
    const { text, isError } = await engine.call_tool("generate", { what, path, overwrite: true, ...more });
    assert.ok(!isError, text);
  };

  const exits = async (file, code) => {
    const { code: found, output } = await run(folder, file);
    assert.equal(found, code, `${output}\n${readFileSync(join(folder, file), "utf8")}`);
    return output;
  };

  const runs_as_test = async (code, file) => {
    const runner = join(modules, "@playwright/test/cli.js");
    const { code: found, output } = await run(folder, runner, "test", ...(file ? [file] : []));
    assert.equal(found, code, output);
  };

  test("an uncaught error: found by role and label, over two documents", async () => {
    const cart = (total) => `<label>E-mail <input type="email" id="mail"></label>
      <label><input type="checkbox" id="terms"> Terms</label>
      <select><option>One</option><option>Two</option></select>
      <button onclick="pay()">Pay</button><button>Cancel</button>
      <script>
        const cart = ${total};
        const ready = () => document.querySelector("#mail").value.includes("@") &&
          document.querySelector("#terms").checked && document.querySelector("select").value == "Two";
        const pay = () => setTimeout(() => ready() && cart.total.toFixed(2), 300);
      </script>`;
    app.set_page("/", html(`<a href="/cart?step=1">To the cart</a>`));
    app.set_page("/cart", html(cart("{}")));
    await page.goto(`${app.origin}/`);
    await page.click("text=To the cart");
    await page.fill("#mail", "ann@mail.test");
    await page.click("text=Terms");
    await page.selectOption("select", "Two");
    await page.click("text=Pay");
    await heard("errors", "toFixed");
    await heard("actions", "Pay");
    await generate("reproduction", "r.mjs");
    await generate("test", "r.spec.mjs");
    assert.match(await exits("r.mjs", 1), /The fault is there: TypeError: .*toFixed/);
    await runs_as_test(1);

    app.set_page("/cart", html(cart("{ total: 1 }")));
    await exits("r.mjs", 0);
    await runs_as_test(0);

    app.set_page("/cart", html("nothing here"));
    assert.match(await exits("r.mjs", 2), /no such element/);
  });

  test("a request that fails, in a page that was loaded and nothing else", async () => {
    app.set_page("/", html(`<script>fetch("/f503", { method: "POST" })</script>`));
    await page.goto(`${app.origin}/`);
    await heard("network_bodies", "f503");
    await generate("reproduction", "r.mjs", { url: "/f503" });
    assert.match(await exits("r.mjs", 1), /503/);
    app.set_page("/f503", "fine");
    await exits("r.mjs", 0);
  });

  test("a test with replay asks the server for nothing that it was seen to answer", async () => {
    const cart = (read) =>
      html(`<button onclick="pay()">Pay</button><p></p><script>
        let cart;
        fetch("/api/cart?full=1").then((r) => r.json()).then((value) => {
          cart = value;
          document.querySelector("p").textContent = "ready";
        });
        const pay = () => ${read};
      </script>`);
    app.set_page("/", cart("cart.items.length"));
    app.set_answer("/api/cart", 503, { items: null, "hos`${tile}": "</script>\"'\n" });
    await page.goto(`${app.origin}/`);
    await page.getByText("ready").waitFor();
    await page.click("text=Pay");
    await heard("errors", "items");
    await heard("actions", "Pay");
    await heard("network_bodies", "/api/cart");
    const { text: errors } = await engine.call_tool("observe", { what: "errors", max_bytes: 60000 });
    assert.match(errors, /TypeError/);
    await generate("test", "replayed.spec.mjs", { replay: true });
    await generate("test", "asking.spec.mjs");

    // The server is mended, the page is not: who asks the server sees no fault any more.
    app.set_answer("/api/cart", 200, { items: [] });
    await runs_as_test(1, "replayed.spec.mjs");
    await runs_as_test(0, "asking.spec.mjs");

    // The page is mended, the server is gone.
    app.set_page("/", cart("cart?.items?.length"));
    app.set_answer("/api/cart", 404, {});
    await runs_as_test(0, "replayed.spec.mjs");
  });

  test("a policy, enforced, lets through what was seen and nothing else", async () => {
    const site = html(`<img src="/picture.png"><script src="/app.js"></script>
      <script>fetch("/fine").then(() => { window.fetched = true; })</script>`);
    app.set_page("/", site);
    app.set_page("/app.js", "window.loaded = true;", { "Content-Type": "text/javascript" });
    app.set_page("/picture.png", "", { "Content-Type": "image/png" });
    app.set_page("/late.js", "window.late = true;", { "Content-Type": "text/javascript" });
    await page.goto(`${app.origin}/`);
    await page.waitForFunction(() => window.loaded && window.fetched);
    await heard("network_waterfall", "app.js");
    // Reported by the browser as what the policy would have refused: inline blocks, with their hashes.
    app.set_page("/", site, {
      "Content-Security-Policy-Report-Only": `default-src 'self' ${engine.origin}; report-sample`,
    });
    await page.goto(`${app.origin}/`);
    await page.waitForFunction(() => window.loaded && window.fetched);
    await heard("errors", "script-src");
    const { text, isError } = await engine.call_tool("generate", { what: "csp" });
    assert.ok(!isError, text);
    const policy = /^Content-Security-Policy-Report-Only: (.*)$/m.exec(text)[1];

    const nonced = site.replaceAll("<script", '<script nonce="n1"');
    const enforced = policy.replaceAll("PER-RESPONSE", "n1").replace("script-src", `script-src ${engine.origin}`);
    app.set_page("/", nonced, { "Content-Security-Policy": enforced.replace("connect-src", `connect-src ${engine.origin}`) });
    const strict = await browser.newPage();
    await strict.addInitScript(() => {
      window.refused = [];
      document.addEventListener("securitypolicyviolation", (e) => window.refused.push(e.blockedURI));
    });
    await strict.goto(`${app.origin}/`);
    await strict.waitForFunction(() => window.loaded && window.fetched);
    assert.deepEqual(await strict.evaluate(() => window.refused), []);
    const foreign = await strict.evaluate(
      () =>
        new Promise((resolve) => {
          document.addEventListener("securitypolicyviolation", (e) => resolve(e.effectiveDirective));
          document.body.append(Object.assign(new Image(), { src: "http://127.0.0.1:9/foreign.png" }));
        }),
    );
    assert.equal(foreign, "img-src");
    const inline = await strict.evaluate(
      () =>
        new Promise((resolve) => {
          document.addEventListener("securitypolicyviolation", (e) => resolve(e.blockedURI));
          document.body.append(Object.assign(document.createElement("script"), { textContent: "window.injected = 1" }));
        }),
    );
    assert.equal(inline, "inline");
    assert.equal(await strict.evaluate(() => window.injected), undefined);
  });

  test("an element without any name, and one whose id is hostile, clicked at once", async () => {
    const id = "a\"'`${1}</script>";
    app.set_page(
      "/",
      html(`<div></div><div></div><script>
        const [first, second] = document.querySelectorAll("div");
        for (const div of [first, second]) div.style.height = "20px";
        second.id = ${JSON.stringify(id).replace("</", "<\\/")};
        first.onclick = () => second.onclick = () => console.error(new Error("broken \`quote\`"));
      </script>`),
    );
    await page.goto(`${app.origin}/`);
    // As fast as a program clicks: the second click is no part of the first.
    await page.evaluate(() => document.querySelectorAll("div").forEach((div) => div.click()));
    await heard("errors", "broken");
    await heard("actions", "#a");
    await generate("reproduction", "r.mjs");
    await exits("r.mjs", 1);
  });
});
