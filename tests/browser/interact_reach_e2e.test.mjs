// Where a person reaches an element: through frames that are out of sight, scaled and in several processes, by the
// label that is dressed up in its place, and not where it moves away.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { acting_suite, needs_program } from "./support/acting_suite.mjs";
import { start_page_server } from "./support/page_server.mjs";

const soon = { timeout_ms: 600 };

describe("reach", needs_program, () => {
  const { app, interact, done, refused, open } = acting_suite();
  let other;
  let third;

  before(async () => {
    other = await start_page_server();
    third = await start_page_server();
  });

  after(async () => {
    await other?.stop();
    await third?.stop();
  });

  test("frames within frames, below what is shown, scaled and turned", async () => {
    const far = other.origin.replace("127.0.0.1", "localhost");
    other.set_page(
      "/mid",
      `<div style="height:300px">Middle</div>
      <iframe srcdoc="<button onclick='this.textContent=&quot;Inner was hit&quot;'>Inner</button>"></iframe>
      <iframe src="${third.origin}/third" style="transform:scale(.5) rotate(20deg);width:400px;height:200px"></iframe>`,
    );
    third.set_page(
      "/third",
      `<div style="height:120px"></div><label>Card <input></label>
      <button onclick="p.textContent = 'charged ' + document.querySelector('input').value">Charge</button><p id=p></p>`,
    );
    app.set_page("/plain", `<button onclick="this.textContent = 'Plain was hit'">Plain</button>`);
    await open(`<div style="height:1500px">Tall</div><iframe src="${far}/mid" width=600 height=250></iframe>
      <iframe sandbox=allow-scripts src=/plain></iframe><div style="height:900px"></div>`);
    assert.match(await done("click", { role: "button", name: "Inner" }), /\+ Inner was hit/);
    await done("scroll", { to: "top" });
    await done("fill", { label: "Card", value: "4242" });
    assert.match(await done("click", { role: "button", name: "Charge" }), /\+ charged 4242/);
    await done("scroll", { to: "top" });
    assert.match(await done("click", { role: "button", name: "Plain" }), /\+ Plain was hit/);
    assert.match((await interact("screenshot", { role: "button", name: "Charge" })).text, /^screenshot of .*, \d\d x \d\d\n/);
  });

  test("what lies over a frame is waited for, and named when it stays", async () => {
    app.set_page("/inner", `<button onclick="this.textContent = 'was hit'">Pay</button>`);
    const page = (script) => `<iframe src=/inner></iframe><div id=over style="position:fixed;inset:0;background:#fff">
      Please wait</div><script>${script}</script>`;
    await open(page("setTimeout(() => over.remove(), 700)"));
    assert.match(await done("click", { text: "Pay" }), /\+ was hit/);
    await open(page(""));
    assert.match(await refused("click", { text: "Pay", ...soon }), /"Pay" is covered by div#over "Please wait"/);
  });

  test("boxes and inputs for files that are hidden behind their label", async () => {
    await open(`<style>.box{position:absolute;opacity:0;width:0;height:0}
      .tiny{position:absolute;width:1px;height:1px;clip:rect(0 0 0 0);overflow:hidden}</style>
      <label><input type=checkbox class=box onchange="p.textContent = 'dark ' + checked"><span>Dark mode</span></label>
      <label><input type=checkbox class=tiny onchange="q.textContent = 'terms ' + checked">
        <a href="#terms">All the terms that there are</a> are mine</label>
      <label for=r>Blue</label><input type=radio id=r hidden onchange="q.textContent = 'blue'">
      <label for=f>Choose a file</label><input type=file id=f style="display:none"
        onclick="q.textContent = 'asks'; event.preventDefault()"><p id=p></p><p id=q></p>`);
    assert.match(await done("check", { label: "Dark mode" }), /\+ dark true/);
    assert.match(await done("click", { text: "Dark mode" }), /\+ dark false/);
    assert.match(await done("check", { label: "are mine" }), /\+ terms true/);
    assert.match(await done("check", { label: "Blue" }), /\+ blue/);
    assert.match(await done("click", { text: "Choose a file" }), /\+ asks/);
  });

  test("what cannot be used is told as what it is", async () => {
    await open(`<div inert><button>Asleep</button></div><button style="pointer-events:none">Deaf</button>
      <details><summary>More</summary><button>Inside</button></details>`);
    assert.match(await refused("click", { text: "Asleep", ...soon }), /"Asleep" is inert/);
    assert.match(await refused("click", { text: "Deaf", ...soon }), /"Deaf" takes no clicks: its style says pointer-events/);
    assert.match(await refused("click", { text: "Inside", ...soon }), /"Inside" is there, but not visible/);
    await done("click", { text: "More" });
    assert.match(await done("click", { text: "Inside" }), /clicked button "Inside"/);
  });

  test("what moves away from the mouse is not hit, and nothing in its place", async () => {
    const page = (times) => `<style>button{position:absolute;top:40px;width:80px;height:30px}</style>
      <button onclick="p.textContent = 'under was hit'">Under</button>
      <button onclick="p.textContent = 'over was hit'" onmouseenter="if (n-- > 0) this.style.top = this.style.top == '90px' ? '140px' : '90px'">Over
      </button><p id=p></p><script>let n = ${times}</script>`;
    await open(page(1));
    assert.match(await done("click", { text: "Over" }), /\+ over was hit/);
    await open(page(1000));
    assert.match(await refused("click", { text: "Over", ...soon }), /"Over" moves away when the mouse comes; nothing was clicked/);
    assert.doesNotMatch(await done("snapshot"), /was hit/);
  });
});
