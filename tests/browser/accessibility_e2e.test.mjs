// What some people cannot use in a page, by the rules of axe-core, in a real Chromium that the engine launches.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, beforeEach, describe, test } from "node:test";
import { start_acting_engine } from "./support/acting_engine.mjs";
import { start_chromium } from "./support/chromium.mjs";
import { start_page_server } from "./support/page_server.mjs";

const program = process.env.GASOLINE_BIN;
const axe_file =
  program && join(dirname(program), "../tools/page_script/packages/node_modules/axe-core/axe.min.js");

const broken = `<!doctype html><html><head><title>Cart</title></head><body><main><h1>Cart</h1>
  <img src="data:,"><button id="pay"></button><button></button>
  <input type="text"><a href="/x"></a>
  <iframe title="inner" src="/inner"></iframe></main></body></html>`;
const inner = `<!doctype html><html lang="en"><title>inner</title><main><h1>In</h1><img src="data:,"></main></html>`;

describe("accessibility", { skip: program ? false : "GASOLINE_BIN is not set" }, () => {
  let app;
  let engine;

  before(async () => {
    app = await start_page_server();
    engine = await start_acting_engine(program, app);
  });

  beforeEach(() => app.reset());

  after(async () => {
    await app?.stop();
    assert.equal(await engine?.leave(), 0);
  });

  const check = async (args = {}) => {
    const { text, isError } = await engine.call_tool("analyze", {
      what: "accessibility",
      max_bytes: 60_000,
      ...args,
    });
    assert.ok(!isError, text);
    const [sentence, ...rest] = text.split("\n");
    return { sentence, ...JSON.parse(rest.join("\n").split("\n--- ALERTS")[0]) };
  };

  const show = (html) => {
    app.set_page("/a11y", html);
    app.set_page("/inner", inner);
    return `${app.origin}/a11y`;
  };

  test("rules are grouped, the worst first, each element with a handle and what to do", async () => {
    const { sentence, rules } = await check({ url: show(broken) });
    assert.match(sentence, /breaks [0-9]+ rules: [0-9]+ critical/);
    const names = rules.map(({ rule }) => rule);
    for (const name of ["image-alt", "button-name", "label", "link-name", "html-has-lang"])
      assert.ok(names.includes(name), `${name} in ${names}`);
    const buttons = rules.find(({ rule }) => rule == "button-name");
    assert.equal(buttons.count, 2);
    assert.match(buttons.elements[0].element, /^w[0-9]+e[0-9]+$/);
    assert.match(buttons.elements[0].fix, /text|label/i);
    assert.equal(rules.find(({ rule }) => rule == "image-alt").count, 2, "the one in the frame, too");
    const clicked = await engine.call_tool("interact", { action: "click", handle: buttons.elements[1].element });
    assert.ok(!clicked.isError, clicked.text);
    const again = await check();
    assert.equal(again.rules.length, rules.length);
  });

  test("a page that breaks no rule", async () => {
    const { sentence, rules } = await check({
      url: show(`<!doctype html><html lang="en"><title>Fine</title><main><h1>Fine</h1><p>All is well.</p></main></html>`),
    });
    assert.match(sentence, /breaks none of the rules/);
    assert.equal(rules, undefined);
  });

  test("the same rules as axe-core finds by hand", { skip: axe_file && existsSync(axe_file) ? false : "no axe-core" }, async () => {
    const alone = broken.replace(/<iframe.*iframe>/, "");
    const { rules } = await check({ url: show(alone) });
    const browser = await start_chromium();
    try {
      const page = await browser.newPage();
      await page.goto(`${app.origin}/a11y`);
      await page.evaluate(readFileSync(axe_file, "utf8") + "\n;0");
      const violations = await page.evaluate(async () => (await globalThis.axe.run()).violations);
      const counts = (all) => Object.fromEntries(all);
      assert.deepEqual(
        counts(rules.map(({ rule, count }) => [rule, count]).sort()),
        counts(violations.map(({ id, nodes }) => [id, nodes.length]).sort()),
      );
    } finally {
      await browser.close();
    }
  });
});
