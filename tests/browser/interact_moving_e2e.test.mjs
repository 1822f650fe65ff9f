// What an agent moves and brings along: scrolling, dragging, files, how the page appears, secrets, and
// elements in closed shadow roots. In a real Chromium, by the program that GASOLINE_BIN names.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { acting_suite, needs_program } from "./support/acting_suite.mjs";

const password = "correct-horse-battery";

describe("moving things in a page", needs_program, () => {
  let files;

  before(() => {
    files = mkdtempSync(join(tmpdir(), "gasoline-files-"));
    writeFileSync(join(files, "password"), `${password}\n`, { mode: 0o600 });
    writeFileSync(join(files, "photo.txt"), "a photo");
    writeFileSync(join(files, "second.txt"), "another");
    writeFileSync(join(files, ".hidden"), "not for pages");
    symlinkSync("/etc/hostname", join(files, "link.txt"));
    const secrets = { SHOP_PASSWORD: join(files, "password") };
    writeFileSync(join(files, "config.json"), JSON.stringify({ interact: { secrets, files: [files] } }));
  });

  const { engine, done, refused, open } = acting_suite(() => ["--config", join(files, "config.json")]);

  after(() => rmSync(files, { recursive: true }));

  test("a page, a part of it and an element are scrolled", async () => {
    await open(`<style>li { height: 100px }</style><div id=list style="height:300px;overflow:auto">
      <ul>${Array.from({ length: 50 }, (_, i) => `<li>row ${i}</li>`).join("")}</ul></div>
      <div style="height:3000px"></div><p>the end</p>`);
    assert.match(await done("scroll", { css: "#list", to: "bottom" }), /scrolled .*, at (\d+) of \1/);
    assert.match(await done("scroll", { to: "down" }), /^scrolled the page, at [1-9]\d+ of \d+/);
    assert.match(await done("scroll", { to: "top" }), /at 0 of/);
    const again = await done("scroll", { to: "top" });
    assert.match(again, /did not move/);
    assert.match(await done("scroll", { text: "the end" }), /^scrolled to .*the end/);
    assert.match(await refused("scroll", { to: "sideways" }), /down, up, left, right, top, bottom/);
  });

  test("an element is dragged: where the browser drags, and where the page does by itself", async () => {
    await open(`<div draggable=true id=card style="width:80px;height:30px">Card</div>
      <div id=bin style="width:200px;height:80px;background:silver">Bin</div><p id=said></p><script>
      card.ondragstart = (e) => e.dataTransfer.setData("text/plain", "the card");
      bin.ondragover = (e) => e.preventDefault();
      bin.ondrop = (e) => { e.preventDefault(); said.textContent = "got " + e.dataTransfer.getData("text/plain") };
      </script>`);
    const dropped = await done("drag", { text: "Card", to: "Bin" });
    assert.match(dropped, /\+ got the card/, dropped);
    await open(`<div id=box style="position:absolute;left:20px;top:20px;width:50px;height:50px">Box</div>
      <div style="position:absolute;left:300px;top:200px;width:90px;height:90px">Goal</div><p id=said></p><script>
      let held = false;
      box.onmousedown = () => (held = true);
      onmousemove = (e) => { if (held) { box.style.left = e.clientX - 25 + "px"; box.style.top = e.clientY - 25 + "px" } };
      onmouseup = () => { held = false; said.textContent = "at " + parseInt(box.style.left) };
      </script>`);
    assert.match(await done("drag", { text: "Box", to: "Goal" }), /\+ at 3[12]\d/);
  });

  test("files go into inputs and through buttons that ask for them, from the settings' directories only", async () => {
    await open(`<label>Photo <input type=file id=one></label><button id=ask>Choose files</button>
      <input type=file id=many multiple hidden><button id=none>Nothing</button><p id=said></p><script>
      one.onchange = many.onchange = (e) => (said.textContent = [...e.target.files].map((f) => f.name).join());
      ask.onclick = () => many.click();</script>`);
    const by_input = await done("upload", { label: "Photo", files: [join(files, "photo.txt")] });
    assert.match(by_input, /uploaded 1 file by .*\n\+ photo.txt/);
    const by_button = await done("upload", {
      role: "button",
      name: "Choose files",
      files: [join(files, "photo.txt"), "second.txt"],
    });
    assert.match(by_button, /photo.txt,second.txt/);
    const two = { label: "Photo", files: ["photo.txt", "second.txt"] };
    assert.match(await refused("upload", two), /one file only/);
    const nothing = { role: "button", name: "Nothing", files: ["photo.txt"], timeout_ms: 500 };
    assert.match(await refused("upload", nothing), /asks for no file/);
    for (const file of ["/etc/passwd", "../etc/passwd", ".hidden", "link.txt", "missing.txt"])
      assert.match(await refused("upload", { label: "Photo", files: [file] }), /may be uploaded/, file);
  });

  test("the page appears as on another device, in the dark, offline, slowly, in another language", async () => {
    await open(`<p>device</p>`);
    const seen = (expression) => done("evaluate", { expression });
    await done("emulate", {
      fields: { viewport: "390x844@3", dark: true, touch: true, locale: "de-DE" },
    });
    assert.equal(await seen("`${innerWidth} x ${innerHeight} ${devicePixelRatio}`"), "390 x 844 3");
    assert.equal(await seen("matchMedia('(prefers-color-scheme: dark)').matches"), "true");
    assert.equal(await seen("navigator.maxTouchPoints"), "5");
    assert.equal(await seen("(1.5).toLocaleString()"), "1,5");
    assert.equal(await done("emulate", { fields: { offline: true } }), "emulating offline");
    assert.equal(await seen("navigator.onLine"), "false");
    assert.match(await seen("fetch('/fine').then(() => 'came', (e) => e.message)"), /Failed to fetch|INTERNET_DISCONNECTED/);
    await done("emulate", { fields: { slow: true, offline: false, cpu: 2 } });
    assert.ok(Number(await seen("(async () => { const t = performance.now(); await fetch('/fine'); return performance.now() - t })()")) > 300);
    await done("emulate");
    assert.notEqual(await seen("innerWidth"), "390");
    assert.equal(await seen("matchMedia('(prefers-color-scheme: dark)').matches"), "false");
    assert.match(await refused("emulate", { fields: { moon: true } }), /viewport, dark, touch/);
    assert.match(await refused("emulate", { fields: { viewport: "wide" } }), /390x844/);
    assert.match(await refused("emulate", { fields: { cpu: 1000 } }), /from 1 to 100/);
  });

  test("an element is shown to the user, and the page does not see it", async () => {
    await open(`<button>Here</button>`);
    const before = await done("evaluate", { expression: "document.documentElement.outerHTML" });
    assert.match(await done("highlight", { text: "Here", timeout_ms: 2000 }), /showing button "Here" for 2 s/);
    assert.equal(await done("evaluate", { expression: "document.documentElement.outerHTML" }), before);
  });

  test("elements in closed shadow roots are found and acted on, nested ones too", async () => {
    await open(`<shop-cart></shop-cart><div id=host style="display:block"></div><script>
      customElements.define("shop-cart", class extends HTMLElement {
        constructor() {
          super();
          const root = this.attachShadow({ mode: "closed" });
          root.innerHTML = "<button>Pay now</button><p></p>";
          root.querySelector("button").onclick = () => (root.querySelector("p").textContent = "paid");
        }
      });
      const outer = host.attachShadow({ mode: "closed" });
      outer.innerHTML = "<label>Coupon <input></label>";
      </script>`);
    const paid = await done("click", { role: "button", name: "Pay now" });
    assert.match(paid, /clicked button "Pay now"\n\+ paid/);
    assert.match(await done("fill", { label: "Coupon", value: "TEN" }), /filled textbox "Coupon"/);
    assert.match(await done("snapshot"), /textbox "Coupon" \[w\d+e\d+\].*value "TEN"/);
  });

  test("a secret is filled in by its name and shown nowhere", async () => {
    await open(`<form><label>User <input></label><label>Password <input type=password></label>
      <label>Plain <input id=plain></label></form><p id=said></p><script>
      oninput = () => { said.textContent = "typed " + plain.value; console.error("value is", plain.value) };
      </script>`);
    const secret = { secret: "SHOP_PASSWORD" };
    const filled = await done("fill", { fields: { User: "ann", Password: secret } });
    assert.match(filled, /filled textbox "User", textbox "Password"/);
    assert.equal(await done("evaluate", { expression: "document.querySelector('[type=password]').value.length" }), `${password.length}`);
    const plain = await engine.interact("fill", { label: "Plain", value: secret });
    const typed = await engine.interact("type", { label: "Plain", value: secret });
    const looks = await Promise.all(
      ["logs", "errors", "actions", "timeline"].map((what) => engine.call_tool("observe", { what })),
    );
    for (const { text } of [plain, typed, ...looks]) assert.ok(!text.includes(password), text);
    assert.match(await refused("fill", { label: "User", value: { secret: "OTHER" } }), /no secret "OTHER"; known are SHOP_PASSWORD/);
    assert.match((await engine.interact("fill", { label: "User", value: { other: 1 } })).text, /"secret":"NAME"/);
  });

  const elsewhere = Object.values(networkInterfaces())
    .flat()
    .find(({ family, internal }) => family === "IPv4" && !internal)?.address;
  const skip = elsewhere ? false : "this machine has no address but loopback";

  test("a secret does not go into a frame of a page from elsewhere", { skip }, async () => {
    const server = createServer((_, response) =>
      response
        .writeHead(200, { "Content-Type": "text/html" })
        .end("<label>Password <input type=password></label>"),
    );
    await new Promise((resolve) => server.listen(0, elsewhere, resolve));
    await open(`<iframe src="http://${elsewhere}:${server.address().port}/"></iframe>`);
    const fill = { label: "Password", value: { secret: "SHOP_PASSWORD" } };
    assert.match(await refused("fill", fill), /pages of this machine only/);
    server.close();
  });
});
