// From what an agent did with `interact` to a program that does it again: in frames, windows and dialogs, with the
// deeds that take more than a click. What `generate` writes shows the fault while it is there, and no longer once it
// is gone.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, test } from "node:test";
import { start_acting_engine } from "./support/acting_engine.mjs";
import { needs_program } from "./support/acting_suite.mjs";
import { start_page_server } from "./support/page_server.mjs";
import { wait_until } from "./support/wait_until.mjs";

const chromium = process.env.CHROMIUM ?? "/usr/bin/chromium";
const modules = join(import.meta.dirname, "node_modules");

const run = (cwd, file) =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [file], { cwd, env: { ...process.env, CHROMIUM: chromium } });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += text));
    child.on("close", (code) => resolve({ code, output }));
  });

// Each fault: its pages, which name it `FAULT`, and what is done up to it.
const faults = {
  "in a frame": {
    pages: { "/": `<iframe src=/pay></iframe>`, "/pay": `<label>Card <input></label><button onclick="FAULT">Pay</button>` },
    deeds: [["fill", { label: "Card", value: "4242" }], ["click", { text: "Pay" }]],
  },
  "in a window that a page opened": {
    pages: {
      "/": `<button onclick="window.open('/allow')">Sign in</button><script>onmessage = () => { FAULT }</script>`,
      "/allow": `<button onclick="opener.postMessage('yes', '*')">Allow</button>`,
    },
    deeds: [["click", { text: "Sign in" }], ["click", { text: "Allow", page: "p2" }]],
  },
  "after an address was opened": {
    pages: {
      "/": `<button onclick="localStorage.cart = 1">Add</button>`,
      "/cart": `<button onclick="if (localStorage.cart) { FAULT }">Pay</button>`,
    },
    deeds: [["click", { text: "Add" }], ["navigate", { url: "/cart" }], ["click", { text: "Pay" }]],
  },
  "a dialog that is dismissed, and one that is answered": {
    pages: {
      "/": `<button onclick="if (confirm('Keep?')) return; if (prompt('Why?')) { FAULT }">Delete</button>`,
    },
    deeds: [["click", { text: "Delete" }], ["dialog", { accept: false }], ["dialog", { accept: true, value: "old" }]],
  },
  "double and right clicks, and a shortcut": {
    pages: {
      "/": `<p ondblclick="n = 1" oncontextmenu="n += n == 1; return false">Row</p><script>let n = 0;
        onkeydown = (e) => { if (e.ctrlKey && e.key == "b" && n == 2) { FAULT } }</script>`,
    },
    deeds: [["click", { text: "Row", kind: "double" }], ["click", { text: "Row", kind: "right" }], ["press", { key: "Control+b" }]],
  },
  "a drag from lane to lane": {
    pages: {
      "/": `<p draggable=true>Card</p><section style="height:80px">Lane<script>document.currentScript.parentNode.ondragover =
        (e) => e.preventDefault()</script></section><script>document.querySelector("section").ondrop = () => { FAULT }</script>`,
    },
    deeds: [["drag", { text: "Card", to: "Lane" }]],
  },
  "what is written where no field is": {
    pages: {
      "/": `<div contenteditable role=textbox aria-label=Note style="height:30px"></div>
        <button onclick="if (document.querySelector('div').textContent) { FAULT }">Keep</button>`,
    },
    deeds: [["type", { label: "Note", value: "milk" }], ["click", { text: "Keep" }]],
  },
  "while something is typed": {
    pages: { "/": `<label>Search <input oninput="if (value.length > 2) { FAULT }"></label>` },
    deeds: [["type", { label: "Search", value: "pear" }]],
  },
};

describe("generated from what interact did", needs_program, () => {
  let app;
  let engine;
  let folder;

  beforeEach(async () => {
    app = await start_page_server();
    engine = await start_acting_engine(process.env.GASOLINE_BIN, app);
    folder = join(engine.state_dir, "generated");
    mkdirSync(folder, { mode: 0o700 });
    symlinkSync(modules, join(folder, "node_modules"));
    writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  });

  afterEach(async () => {
    await engine?.leave();
    await app?.stop();
  });

  const serve = (pages, fault) => {
    for (const [path, html] of Object.entries(pages)) app.set_page(path, html.replaceAll("FAULT", fault));
  };

  const exits = async (code) => {
    const { code: found, output } = await run(folder, "r.mjs");
    assert.equal(found, code, `${output}\n${readFileSync(join(folder, "r.mjs"), "utf8")}`);
  };

  for (const [name, { pages, deeds }] of Object.entries(faults))
    test(name, async () => {
      serve(pages, "shop.order()");
      await engine.done("navigate", { url: `${app.origin}/` });
      for (const [action, more] of deeds) await engine.done(action, more);
      await wait_until(
        async () => (await engine.call_tool("observe", { what: "errors" })).text.includes("shop is not defined"),
        () => "the fault was never heard of",
      );
      const path = join(folder, "r.mjs");
      const { text, isError } = await engine.call_tool("generate", { what: "reproduction", path });
      assert.ok(!isError, text);
      await exits(1);
      serve(pages, "0");
      await exits(0);
    });

  test("types and a fixture are made of what an endpoint answers when all is well", async () => {
    app.set_answer("/api/cart/7", 200, { id: 7, lines: [{ name: "Tea", price: 2.5 }], note: null });
    app.set_page("/", `<script>for (const id of [7, 7, 7]) fetch("/api/cart/" + id)</script>`);
    await engine.done("navigate", { url: `${app.origin}/` });
    const generated = async (what) => {
      const { text, isError } = await engine.call_tool("generate", { what, url: "/api/cart" });
      assert.ok(!isError, text);
      return text;
    };
    assert.match(await generated("types"), /lines: Array<\{\s*name: string;\s*price: number;\s*\}>;\s*note: null;/);
    assert.match(await generated("fixture"), /"body":\{"id":7,"lines":\[\{"name":"Tea","price":2\.5\}\],"note":null\}/);
    const { text: api } = await engine.call_tool("analyze", { what: "api" });
    assert.match(api, /"endpoint":"GET \/api\/cart\/:id","count":3,"statuses":\{"200":3\}/);
  });

  test("what of its answers protects a page, and which cookies lack what", async () => {
    app.set_page("/", "<p>Shop", {
      "X-Content-Type-Options": "nosniff",
      "Set-Cookie": ["sid=s3cr3t-value; Path=/", "theme=dark; HttpOnly; SameSite=Lax"],
    });
    await engine.done("navigate", { url: `${app.origin}/` });
    const { text } = await engine.call_tool("analyze", { what: "security" });
    assert.match(text, /"what":"sid lacks HttpOnly, SameSite","where":"set by GET \/"/);
    assert.match(text, /"missing":"content-security-policy, referrer-policy, x-frame-options"/);
    assert.doesNotMatch(text, /theme|s3cr3t/);
  });
});
