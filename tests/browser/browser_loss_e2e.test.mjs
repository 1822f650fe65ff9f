// A browser that is killed in the middle of each action: whoever has asked is told at once, and the next
// action starts it anew. GASOLINE_BIN names the program.
import assert from "node:assert/strict";
import { readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { start_acting_engine } from "./support/acting_engine.mjs";
import { start_page_server } from "./support/page_server.mjs";
import { wait_until } from "./support/wait_until.mjs";

const program = process.env.GASOLINE_BIN;

// Files come from where the engine was started.
const chosen = path.join(process.cwd(), `chosen-${process.pid}.txt`);

const page = `<title>Shop</title><label>Name <input></label><label>Off <input disabled></label>
  <label><input type=checkbox disabled> Box</label><select aria-label=List disabled><option>a</select>
  <button disabled>Pay</button><button>Ask</button><input type=file aria-label=File disabled>
  <div style="position:absolute;left:0;top:300px;width:9px;height:9px">Mine</div>`;

// Each waits for what never comes, or may be under way when the browser dies.
const actions = [
  ["navigate", { url: "/never" }],
  ["click", { text: "Pay" }],
  ["type", { label: "Off", value: "x" }],
  ["fill", { label: "Off", value: "x" }],
  ["select", { label: "List", value: "a" }],
  ["check", { label: "Box" }],
  ["press", { key: "Enter" }],
  ["hover", { text: "never there" }],
  ["drag", { text: "Mine", to: "never there" }],
  ["scroll", { to: "down" }],
  ["upload", { label: "File", files: [path.basename(chosen)] }],
  ["wait_for", { text: "never there" }],
  ["find", { text: "Ask" }],
  ["snapshot", {}],
  ["read", {}],
  ["screenshot", { whole: true }],
  ["evaluate", { expression: "new Promise(() => {})" }],
  ["dialog", { accept: true }],
  ["tabs", { do: "open", url: "/never" }],
  ["emulate", { fields: { dark: true } }],
  ["highlight", { text: "Ask" }],
];

describe("a browser that is killed", { skip: program ? false : "GASOLINE_BIN is not set" }, () => {
  let app;
  let engine;

  before(async () => {
    app = await start_page_server();
    engine = await start_acting_engine(program, app);
    app.set_page("/", page);
    writeFileSync(chosen, "a picture");
  });

  after(async () => {
    rmSync(chosen, { force: true });
    await app?.stop();
    assert.equal(await engine.leave(), 0);
  });

  const leader = () =>
    readdirSync("/proc").find((pid) => {
      try {
        const words = readFileSync(`/proc/${pid}/cmdline`, "utf8");
        if (!words.includes(`${engine.state_dir}/browser`)) return false;
        return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1).split(" ")[2] === pid;
      } catch {
        return false;
      }
    });

  for (const [action, given] of actions)
    test(`in the middle of ${action}`, async () => {
      await engine.done("navigate", { url: `${app.origin}/` });
      const more = given.url ? { ...given, url: app.origin + given.url } : given;
      if (action == "dialog") await engine.done("evaluate", { expression: "setTimeout(() => confirm('?'))" });
      const answer = engine.interact(action, { timeout_ms: 20_000, ...more });
      const killed = leader();
      process.kill(-killed, "SIGKILL");
      const begun = Date.now();
      const { text, isError } = await answer;
      assert.ok(Date.now() - begun < 5_000, `${Date.now() - begun} ms`);
      if (isError) assert.match(text, /The browser has ended\. The next interact starts it anew/);
      await wait_until(() => leader() != killed, () => "its processes stay");
    });

  test("what it had told is kept, and health counts its starts", async () => {
    await engine.done("navigate", { url: `${app.origin}/` });
    const { text } = await engine.call_tool("configure", { action: "health" });
    const { browser } = JSON.parse(text.slice(text.indexOf("{")));
    assert.equal(browser.restarts, actions.length);
    assert.equal(browser.state, "ready");
  });
});
