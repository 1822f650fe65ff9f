// Looking at pages and waiting for them, what servers answered, and pages of several clients, in a real
// Chromium that the engine launches.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { acting_suite, needs_program } from "./support/acting_suite.mjs";

describe("watching", needs_program, () => {
  const { app, engine, interact, done, refused, open } = acting_suite();

  test("a failed request is told with what the server answered; where people sign in it is not", async () => {
    await open(`<button onclick="fetch('/fail')">A</button><button onclick="fetch('/login')">B</button>`);
    assert.match(
      await done("click", { role: "button", name: "A" }),
      /failed: GET \/fail 500: \{"error":"database is down"\}/,
    );
    const secret = await done("click", { role: "button", name: "B" });
    assert.match(secret, /failed: GET \/login 401/);
    assert.doesNotMatch(secret, /s3cr3t/);
    const { text } = await engine.call_tool("observe", { what: "network_bodies" });
    assert.match(text, /database is down/);
    assert.doesNotMatch(text, /s3cr3t/);
  });

  test("a request that CORS refuses says so", async () => {
    const far = app.origin.replace("127.0.0.1", "localhost");
    await open(`<button onclick="fetch('${far}/fine', { headers: { 'X-A': '1' } })">Ask</button>`);
    const text = await done("click", { role: "button", name: "Ask" });
    assert.match(text, /failed: GET http:\/\/localhost.*\/fine, blocked by CORS: Preflight/);
  });

  test("waiting for what comes, for what goes, and for an address; in vain, it is said", async () => {
    await open(`<p id=a>Loading</p><script>setTimeout(() => { a.textContent = "Ready";
      history.pushState(0, "", "/there") }, 500)</script>`);
    assert.match(await done("wait_for", { text: "Ready" }), /it is there/);
    assert.match(await done("wait_for", { text: "Loading", gone: true }), /it is gone/);
    assert.match(await done("wait_for", { url: "/there" }), /it is there/);
    assert.match(
      await refused("wait_for", { text: "Never", timeout_ms: 300 }),
      /text "Never" never came/,
    );
  });

  test("the text of a page and of an element, as Markdown", async () => {
    await open(`<h1>Shop</h1><p>Two <a href="/x">links</a></p><ul><li>one<li>two</ul>
      <table><tr><th>A<th>B<tr><td>1<td>2</table><script>hidden()</script>`);
    const text = await done("read");
    assert.match(text, /# Shop\n\nTwo \[links\]\(\/x\)\n\n- one\n- two\nA \| B\n1 \| 2/);
    assert.equal(await done("read", { css: "li" }).catch(() => "several"), "several");
    assert.equal(await done("read", { role: "heading", name: "Shop" }), "# Shop");
  });

  test("a script's value, its error, its endless loop, and what it changed", async () => {
    await open("<p id=p>old</p>");
    assert.match(await done("evaluate", { expression: "1 + 1" }), /^2/);
    assert.match(await done("evaluate", { expression: "({ a: [1, { b: 2 }] })" }), /\{"a":\[1,\{"b":2\}\]\}/);
    assert.match(await done("evaluate", { expression: "const o = {}; o.o = o; o" }), /\[object Object\]/);
    assert.match(await done("evaluate", { expression: "await Promise.resolve('later')" }), /later/);
    assert.match(await done("evaluate", { expression: "document.querySelector('p')" }), /<p id="p">/);
    assert.match(await refused("evaluate", { expression: "null.x" }), /threw TypeError/);
    assert.match(
      await refused("evaluate", { expression: "for (;;) {}", timeout_ms: 300 }),
      /did not end|threw/,
    );
    assert.match(await done("snapshot"), /"old"/);
    const { text } = await interact("evaluate", { expression: "'x'.repeat(100000)" });
    assert.ok(Buffer.byteLength(text) <= 8192 && /100000 bytes in all/.test(text));
  });

  test("a function is called, and what stands in one runs in one", async () => {
    await open("<title>Shop</title>");
    for (const expression of [
      "() => document.title",
      "async () => { return document.title }",
      "function () { return document.title }",
      "const { title } = document; return title",
      "(() => document.title)()",
      "[document].map((each) => each.title)[0]",
    ])
      assert.equal(await done("evaluate", { expression }), "Shop", expression);
  });

  test("an image of what is shown, of an element and of the whole page, as models take it", async () => {
    await open(`<div style="height:5000px;width:3000px;background:teal"></div><button>B</button>`);
    for (const more of [{}, { role: "button" }, { whole: true }]) {
      const { content, isError } = await interact("screenshot", more);
      assert.ok(!isError, content[0].text);
      const image = content.find(({ type }) => type == "image");
      assert.equal(image.mimeType, "image/jpeg");
      const bytes = Buffer.from(image.data, "base64");
      assert.equal(bytes.readUInt16BE(0), 0xffd8);
      assert.ok(bytes.length < 400_000, `${bytes.length} bytes`);
    }
  });

  test("pages are opened, listed, chosen and closed; popups are the opener's", async () => {
    app.set_page("/two", "<title>Two</title>");
    await open(`<button onclick="window.open('/two')">Pop</button>`);
    const popped = await done("click", { role: "button", name: "Pop" });
    const [, popup] = popped.match(/opened page (p\d+)/);
    assert.match(await done("snapshot"), /button "Pop"/);
    const opened = await done("tabs", { do: "open", url: `${app.origin}/two` });
    assert.match(opened, /navigated to .*\/two "Two"/);
    const list = await done("tabs", { do: "list" });
    assert.match(list, new RegExp(`${popup} .*/two`));
    assert.match(list, /yours/);
    assert.match(await done("tabs", { do: "choose", page: popup }), new RegExp(`you work in ${popup}`));
    assert.match(await done("tabs", { do: "close", page: popup }), new RegExp(`closed ${popup}`));
    assert.match(await refused("read", { page: popup }), /There is no page/);
  });

  test("10,000 lines a second are counted beyond a bound, and nothing else waits for them", async () => {
    await open(`<button onclick="for (let i = 0; i < 10000; i++) console.log('line', i)">Flood</button>`);
    await done("click", { role: "button", name: "Flood" });
    const { text } = await engine.call_tool("configure", { action: "health" });
    const { dropped, browser } = JSON.parse(text);
    assert.ok(dropped.browser_events > 5_000, `${dropped.browser_events}`);
    assert.equal(browser.state, "ready");
  });

  test("a flood of lines hides no error, and how many lines were lost is told among them", async () => {
    await open(`<button onclick="for (let i = 0; i < 10000; i++) console.log('line', i);
      console.error(new Error('behind the flood')); setTimeout(() => { throw new TypeError('thrown behind it') })">Go</button>`);
    const text = await done("click", { role: "button", name: "Go" });
    assert.match(text, /error: Error: behind the flood/);
    assert.match(text, /error: Uncaught TypeError: thrown behind it/);
    await done("wait_for", { seconds: 2 });
    const { text: logs } = await engine.call_tool("observe", { what: "logs", min_level: "warn" });
    const { items } = JSON.parse(logs.slice(logs.indexOf("{")));
    // A machine that is slow to print them loses some in each of several seconds.
    const lost = items.filter(({ tab }) => tab === items[0].tab)
      .map(({ message }) => /^gasoline: (\d+) entries lost, of more than 1000 in a second$/.exec(message))
      .reduce((sum, told) => sum + Number(told?.[1] ?? 0), 0);
    assert.ok(lost >= 1_000, logs);
  });
});
