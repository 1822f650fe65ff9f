// Acting in pages as a person would: what interact finds, clicks, types and refuses in a real Chromium
// that the engine launches.
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { start_acting_engine } from "./support/acting_engine.mjs";
import { start_page_server } from "./support/page_server.mjs";

const program = process.env.GASOLINE_BIN;

describe("elements", { skip: program ? false : "GASOLINE_BIN is not set" }, () => {
  let app;
  let other;
  let engine;
  let interact;
  let done;
  let refused;
  let open;

  before(async () => {
    app = await start_page_server();
    engine = await start_acting_engine(program, app);
    ({ interact, done, refused, open } = engine);
    other = await start_page_server();
  });

  beforeEach(() => app.reset());

  after(async () => {
    await app?.stop();
    await other?.stop();
    assert.equal(await engine?.leave(), 0);
  });

  test("a click tells what it did, what it changed, and what it broke", async () => {
    await open(`<button onclick="paid.textContent = 'Paid 3 items'; fetch('/fail'); boom()">Pay</button>
      <p id=paid></p>`);
    const text = await done("click", { role: "button", name: "Pay" });
    assert.match(text, /^clicked button "Pay"\n/);
    assert.match(text, /\+ Paid 3 items/);
    assert.match(text, /error: Uncaught ReferenceError: boom is not defined/);
    assert.match(text, /failed: GET \/fail 500/);
    assert.ok(text.length < 400, text);
  });

  test("a click that leads elsewhere waits for the page", async () => {
    app.set_page("/orders", "<title>Orders</title>");
    await open('<a href="/orders">All orders</a>');
    const text = await done("click", { text: "orders" });
    assert.match(text, /clicked link "All orders"\nnavigated to .*\/orders "Orders"/);
  });

  test("five clicks in one turn are five clicks, in order", async () => {
    await open(`<button onclick="n.textContent = ++count">More</button><p id=n>0</p>
      <script>let count = 0</script>`);
    const all = await Promise.all(
      Array.from({ length: 5 }, () => done("click", { role: "button", name: "More" })),
    );
    assert.match(all[4], /\+ 5/);
  });

  test("double and right clicks are such", async () => {
    await open(`<button ondblclick="p.textContent = 'twice'"
      oncontextmenu="p.textContent = 'menu'; return false">B</button><p id=p></p>`);
    assert.match(await done("click", { role: "button", kind: "double" }), /\+ twice/);
    assert.match(await done("click", { role: "button", kind: "right" }), /\+ menu/);
  });

  test("what covers an element is named; a cover that goes is waited for", async () => {
    await open(`<style>#over{position:fixed;inset:0;background:#fff}</style>
      <button onclick="p.textContent='hit'">Go</button><p id=p></p><div id=over>Loading</div>
      <script>setTimeout(() => over.remove(), 700)</script>`);
    assert.match(await done("click", { role: "button", name: "Go" }), /\+ hit/);
    await open(`<style>#over{position:fixed;inset:0;background:#fff}</style>
      <button>Go</button><div id=over>Please wait</div>`);
    const text = await refused("click", { role: "button", name: "Go", timeout_ms: 600 });
    assert.match(text, /button "Go" is covered by div#over "Please wait"/);
  });

  test("hidden, disabled and moving elements are refused as what they are", async () => {
    await open(`<button hidden>Hidden</button><fieldset disabled><button>Off</button></fieldset>
      <div aria-disabled=true><button>Aria</button></div>
      <style>@keyframes m{to{margin-left:300px}}#m{animation:m .3s infinite}</style><button id=m>Run</button>`);
    const soon = { timeout_ms: 400 };
    assert.match(await refused("click", { css: "[hidden]", ...soon }), /not visible/);
    assert.match(await refused("click", { name: "Off", role: "button", ...soon }), /is disabled/);
    assert.match(await refused("click", { name: "Aria", role: "button", ...soon }), /is disabled/);
    assert.match(await refused("click", { css: "#m", ...soon }), /moving/);
  });

  test("several matches and none are refused with handles of what there is", async () => {
    await open(`<ul><li>Ann <button>Edit</button><li>Bob <button onclick="p.textContent='bob'">Edit</button></ul>
      <p id=p></p>`);
    const many = await refused("click", { role: "button", name: "Edit" });
    assert.match(many, /2 elements match button "Edit"/);
    const [, handle] = many.match(/(w\d+e\d+) button "Edit" in li "Bob/);
    assert.match(await done("click", { handle }), /\+ bob/);
    const none = await refused("click", { role: "button", name: "Edit user", timeout_ms: 200 });
    assert.match(await refused("click", { handle: "e5" }), /"e5" is no handle: those are like w1e5/);
    assert.match(none, /nothing matches button "Edit user"\. What there is:\n(w\d+e\d+ button "Edit".*\n?)+/);
  });

  test("a handle never means another element; what says the same is found again", async () => {
    const page = (label) => `<button onclick="p.textContent='${label} hit'">${label}</button><p id=p></p>`;
    await open(page("Save"));
    const [, handle] = (await done("find", { role: "button" })).match(/(w\d+e\d+) button "Save"/);
    await open(page("Save"));
    assert.match(await done("click", { handle }), /\+ Save hit/);
    await open(page("Delete"));
    const text = await refused("click", { handle });
    assert.match(text, /is gone, and nothing matches button "Save"[^]*button "Delete"/);
  });

  test("typing is key by key, filling replaces; what frameworks listen to is told", async () => {
    await open(`<label>Name <input id=i oninput="log.textContent = 'input ' + value"
        onkeydown="keys.textContent = 'keys ' + (++n)"></label>
      <p id=log></p><p id=keys></p><script>let n = 0</script>`);
    const typed = await done("type", { label: "Name", value: "hello world" });
    assert.match(typed, /typed into textbox "Name"/);
    assert.match(typed, /\+ input hello world/);
    assert.match(typed, /\+ keys 11/);
    const filled = await done("fill", { label: "Name", value: "Grüße 🚀" });
    assert.match(filled, /\+ input Grüße 🚀/);
    assert.match(await done("fill", { label: "Name", value: "" }), /filled textbox "Name"/);
    assert.match(await done("press", { key: "x" }), /\+ input x/);
  });

  test("a form is filled in by its labels: text, date, list, box; nothing else is touched", async () => {
    await open(`<form><label>Email <input type=email name=email></label>
      <label for=d>Born</label><input id=d type=date name=born>
      <label>Country <select name=country><option value=fr>France<option value=de>Germany</select></label>
      <label><input type=checkbox name=terms> Terms</label>
      <label><input type=checkbox name=news checked> News</label>
      <button>Send</button></form><p id=p></p>
      <script>document.forms[0].onsubmit = (e) => { e.preventDefault();
        p.textContent = new URLSearchParams(new FormData(e.target)) }</script>`);
    const fields = { Email: "a@b.test", Born: "2020-02-29", Country: "Germany", Terms: true };
    await done("fill", { fields });
    const text = await done("click", { role: "button", name: "Send" });
    assert.match(text, /\+ email=a%40b\.test&born=2020-02-29&country=de&terms=on&news=on/);
    assert.match(
      await refused("select", { label: "Country", value: "Spain" }),
      /has no option "Spain"; there are "France", "Germany"/,
    );
    assert.match(await done("check", { label: "Terms", accept: false }), /unchecked checkbox "Terms"/);
    assert.match(await done("check", { label: "Terms", accept: false }), /already/);
  });

  test("keys go to what has the focus, with their modifiers", async () => {
    await open(`<input aria-label=Q autofocus value=old><p id=p></p>
      <script>document.querySelector("input").onkeydown = (e) =>
        p.textContent = [e.ctrlKey && "Ctrl", e.key, e.code].filter(Boolean).join(" ")</script>`);
    assert.match(await done("press", { key: "Enter", label: "Q" }), /\+ Enter Enter/);
    await done("press", { key: "Control+A" });
    assert.match(await done("press", { key: "z" }), /\+ z KeyZ/);
    assert.match(await done("snapshot"), /textbox "Q" \[w\d+e\d+\] focused value "z"/);
    assert.match(await refused("press", { key: "Foo" }), /'Foo' is no key; use/);
    assert.match(await done("press", { key: "esc" }), /\+ Escape Escape/);
    assert.match(await done("press", { key: "ctrl+enter" }), /\+ Ctrl Enter Enter/);
  });

  test("a frame of another origin, shadow roots and editable text in it", async () => {
    other.set_page(
      "/frame",
      `<x-note></x-note><script>customElements.define("x-note", class extends HTMLElement {
        connectedCallback() { this.attachShadow({ mode: "open" }).innerHTML =
          '<div role=textbox aria-label=Note contenteditable style="width:200px;height:50px"></div>' +
          '<button>Keep</button><p></p>';
          const [note, keep, p] = this.shadowRoot.children;
          keep.onclick = () => p.textContent = "kept " + note.textContent; } });</script>`,
    );
    const far = other.origin.replace("127.0.0.1", "localhost");
    await open(`<p style="margin-top:80px">Top</p>
      <iframe style="margin:30px;border:5px solid" width=400 height=300 src="${far}/frame"></iframe>`);
    assert.match(await done("fill", { role: "textbox", name: "Note", value: "milk" }), /filled textbox "Note"/);
    assert.match(await done("click", { role: "button", name: "Keep" }), /\+ kept milk/);
    const outline = await done("snapshot");
    assert.match(outline, /frame .*\/frame:\n[^]*button "Keep" \[w\d+e\d+\]/);
  });

  test("a dialog ends the action, is told, and is answered", async () => {
    await open(`<button onclick="p.textContent = confirm('Delete 3?') ? 'gone' : 'kept'">Delete</button>
      <button onclick="setTimeout(() => p.textContent = prompt('Name?'), 200)">Later</button><p id=p></p>`);
    const asked = await done("click", { role: "button", name: "Delete" });
    assert.match(asked, /confirm dialog "Delete 3\?" is open/);
    assert.match(await refused("click", { role: "button", name: "Later" }), /dialog "Delete 3\?" is open; answer it first/);
    assert.match(await done("dialog", { accept: false }), /dismissed confirm "Delete 3\?"/);
    assert.match(await done("snapshot"), /"kept"/);
    await done("click", { role: "button", name: "Later" });
    await done("dialog", { accept: true, value: "Ann" });
    assert.match(await done("snapshot"), /"Ann"/);
    assert.match(await refused("dialog"), /No dialog is open/);
  });

  test("what changed its place is told; a row of a table is one line", async () => {
    await open(`<ul id=l><li>One</li><li>Two</li><li>Three</li></ul><table id=t><tr><td>#1<td>open</table>
      <button onclick="l.append(l.firstChild)">Turn</button>
      <button onclick="t.rows[0].cells[1].textContent = 'paid'">Pay</button>`);
    assert.match(await done("click", { role: "button", name: "Turn" }), /\+ order: Two; Three; One/);
    assert.match(await done("click", { role: "button", name: "Pay" }), /\+ #1 \| paid\n- #1 \| open/);
  });

  test("one row of 3,000 is found and its button pressed", async () => {
    await open(`<table>${Array.from(
      { length: 3000 },
      (_, i) => `<tr><td>Order ${i}</td><td><button onclick="p.textContent='shipped ${i}'">Ship</button></td></tr>`,
    ).join("")}</table><p id=p style="position:fixed;top:0"></p>`);
    const found = await done("find", { role: "row", name: "Order 2718" });
    assert.match(found, /row "Order 2718/);
    const [, row] = found.match(/(w\d+e\d+) row/);
    const [, ship] = (await done("snapshot", { handle: row })).match(/button "Ship" \[(w\d+e\d+)\]/);
    assert.match(await done("click", { handle: ship }), /\+ shipped 2718/);
    const [outline] = (await interact("snapshot")).text.split("\n--- ALERTS");
    assert.ok(Buffer.byteLength(outline) <= 8192, `${Buffer.byteLength(outline)} bytes`);
  });

  test("hovering opens what hovering opens", async () => {
    await open(`<div onmouseenter="p.textContent='menu is open'">Menu</div><p id=p></p>`);
    assert.match(await done("hover", { text: "Menu" }), /\+ menu is open/);
  });
});
