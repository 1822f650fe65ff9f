// Forms as interact fills them in, in a real Chromium that the engine launches. GASOLINE_BIN names the
// program.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { acting_suite, needs_program } from "./support/acting_suite.mjs";

describe("forms", needs_program, () => {
  const { done, refused, open } = acting_suite();

  test("fields are filled in in the order in which they are given", async () => {
    await open(`<label>Zip <input></label><label>Age <input></label><label>Mail <input></label>
      <script>const order = [];
        addEventListener("input", ({ target }) => order.push(target.labels[0].textContent.trim()));</script>`);
    const fields = { Zip: "1", Mail: "a@b.test", Age: "2" };
    assert.match(await done("fill", { fields }), /filled textbox "Zip", textbox "Mail", textbox "Age"/);
    assert.match(await done("evaluate", { expression: "order.join()" }), /^Zip,Mail,Age/);
    await done("fill", { fields: JSON.stringify({ Mail: "", Age: "" }) });
    assert.match(await done("evaluate", { expression: "order.join()" }), /Mail,Age,Mail,Age|Age,Mail,Age$/);
  });

  test("more fields than anybody fills in are refused", async () => {
    const fields = Object.fromEntries(Array.from({ length: 201 }, (_, i) => [`f${i}`, "x"]));
    assert.match(await refused("fill", { fields }), /fields takes at most 200/);
  });

  test("what a field does not take is refused, with what it takes and what was filled in before", async () => {
    await open(`<label>Name <input></label><label>Day <input type=date></label>
      <label>Count <input type=number></label><label>Volume <input type=range min=1 max=10></label>`);
    const text = await refused("fill", { fields: { Name: "Ann", Day: "3.2.2026" } });
    assert.match(text, /textbox "Day" takes a date such as 2026-02-03\./);
    assert.match(text, /Before that: filled textbox "Name"\./);
    assert.match(await refused("fill", { label: "Count", value: "many" }), /takes a number\./);
    assert.match(await refused("fill", { label: "Volume", value: "70" }), /takes a number from 1 to 10\./);
  });

  test("what the browser finds wrong with a form that is sent is told", async () => {
    await open(`<form onsubmit="event.preventDefault(); state.textContent = 'sent'">
      <label>Mail <input type=email required></label><button>Send</button></form><p id=state></p>`);
    assert.match(await done("click", { role: "button", name: "Send" }), /invalid: textbox "Mail": .+/);
    await done("fill", { label: "Mail", value: "a@b.test" });
    const sent = await done("click", { role: "button", name: "Send" });
    assert.match(sent, /\+ sent/);
    assert.doesNotMatch(sent, /invalid/);
  });

  test("lists of the page's own making are opened and chosen from", async () => {
    await open(`<div role=combobox aria-label=Color tabindex=0 aria-expanded=false
        onclick="colors.hidden = !colors.hidden">Pick</div>
      <ul id=colors role=listbox hidden><li role=option>Red</li><li role=option>Blue</li></ul>
      <label>City <input role=combobox></label>
      <label>Sizes <select multiple><option>S<option>M<option>L</select></label>
      <p id=state></p><script>colors.onclick = ({ target }) => {
        document.querySelector("[role=combobox]").textContent = target.textContent;
        state.textContent = "chosen " + target.textContent; colors.hidden = true };</script>`);
    assert.match(await done("select", { label: "Color", value: "Blue" }), /combobox "Color" with "Blue"\n[^]*\+ chosen Blue/);
    const text = await done("fill", { fields: { Color: "Red", City: "Bern", Sizes: ["S", "L"] } });
    assert.match(text, /\+ chosen Red/);
    assert.match(text, /listbox "Sizes" with "S", "L"/);
    assert.match(await done("snapshot"), /"City" \[\w+\][^\n]* value "Bern"[^]*"Sizes" \[\w+\][^\n]* value "S, L"/);
    assert.match(await refused("select", { label: "Color", value: "Green", timeout_ms: 300 }), /nothing matches option "Green"/);
  });

  test("a label is not told beside the field that it names", async () => {
    await open(`<label>Name <input value=Ann></label><label><input type=checkbox> I accept the <a href="/t">terms</a></label>
      <div contenteditable aria-label=Note>written</div>`);
    const text = await done("snapshot");
    assert.equal(text.match(/Name/g).length, 1, text);
    assert.match(text, /link "terms"/);
    assert.match(text, /textbox "Note" \[\w+\] value "written"/);
  });

  test("a group of boxes is filled in by what heads it", async () => {
    await open(`<fieldset><legend>Plan</legend><label><input type=radio name=plan value=f>Free</label>
      <label><input type=radio name=plan value=p>Pro</label></fieldset>
      <div role=group aria-label=Toppings><label><input type=checkbox name=ham>Ham</label>
      <label><input type=checkbox name=olives>Olives</label><label><input type=checkbox name=corn>Corn</label></div>`);
    await done("fill", { fields: { Plan: "Pro", Toppings: ["Ham", "Corn"] } });
    const outline = await done("snapshot");
    assert.match(outline, /radio "Pro" \[w\d+e\d+\] checked/);
    assert.match(outline, /checkbox "Ham" \[w\d+e\d+\] checked\n *checkbox "Olives" \[w\d+e\d+\]\n *checkbox "Corn" \S+ checked/);
    assert.match(await refused("fill", { label: "Plan", value: "Gold" }), /group "Plan" has no option "Gold"; there are "Free", "Pro"/);
  });

  test("a refused value leaves the field as it was; a whole date is typed as it is meant", async () => {
    await open(`<label>Day <input type=date value=2026-02-03></label><label>Loud <input type=range value=20></label>`);
    assert.match(await refused("fill", { label: "Day", value: "03/09/2026" }), /takes a date such as/);
    assert.match(await refused("fill", { label: "Loud", value: "very" }), /takes a number from 0 to 100/);
    assert.match(await done("snapshot"), /"Day".*value "2026-02-03"\n.*"Loud".*value "20"/);
    assert.match(await done("type", { label: "Day", value: "2027-12-25" }), /\+ textbox "Day" value "2027-12-25"/);
  });

  test("a field is found by the text that it shows while it is empty, and by its handle in a form", async () => {
    await open(`<input placeholder="What needs doing?"><label>Age <input type=number></label>`);
    assert.match(await done("type", { text: "What needs doing?", value: "Feed cat" }), /value "Feed cat"/);
    const [, age] = (await done("find", { label: "Age" })).match(/(w\d+e\d+) spinbutton "Age"/);
    assert.match(await done("fill", { fields: { [age]: 34 } }), /spinbutton "Age" value "34"/);
  });

  test("seconds are waited for", async () => {
    await open(`<p id=p></p><script>setTimeout(() => (p.textContent = "late"), 300)</script>`);
    assert.match(await done("wait_for", { seconds: 1 }), /waited 1 s/);
    assert.match(await refused("wait_for", { seconds: 1, text: "late" }), /takes seconds, or what to wait for/);
    assert.match(await refused("wait_for", { seconds: 1000 }), /from 1 to 120/);
  });
});
