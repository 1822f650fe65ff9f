// A browser that the engine itself launches, and what an agent learns by acting in it: interact and
// observe of the program that GASOLINE_BIN names, in a real Chromium.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { after, before, beforeEach, describe, test } from "node:test";
import { start_acting_engine } from "./support/acting_engine.mjs";
import { start_page_server } from "./support/page_server.mjs";
import { wait_until } from "./support/wait_until.mjs";

const program = process.env.GASOLINE_BIN;

// Processes of the browser that has its profile in that state directory.
const browser_processes = (state_dir) =>
  readdirSync("/proc").filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(`${state_dir}/browser`);
    } catch {
      return false;
    }
  });

// The process whose group the others are in; numbers begin anew, so it may not be the first.
const leader_of = (pids) =>
  Number(
    pids.find((pid) => {
      const [, , group] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1).split(" ");
      return group === pid;
    }),
  );

describe("a browser of the engine's own", { skip: program ? false : "GASOLINE_BIN is not set" }, () => {
  let app;
  let engine;
  let interact;

  before(async () => {
    app = await start_page_server();
    engine = await start_acting_engine(program, app);
    ({ interact } = engine);
  });

  beforeEach(() => app.reset());

  after(async () => {
    await app?.stop();
    const { state_dir } = engine;
    assert.equal(await engine.leave(), 0);
    assert.deepEqual(browser_processes(state_dir), []);
  });

  test("it is started by the first action, which tells of the errors that it causes", async () => {
    app.set_page(
      "/",
      `<title>Shop</title><script>
       const pay = () => null.total;
       console.error("stock is", { left: 0 });
       setTimeout(pay);
       fetch("/fail");</script>`,
    );
    assert.deepEqual(browser_processes(engine.state_dir), []);
    const { text, isError } = await interact("navigate", { url: `${app.origin}/` });
    assert.ok(!isError, text);
    const answer = text.slice(0, text.indexOf("--- ALERTS"));
    assert.ok(answer.startsWith(`navigated to ${app.origin}/ "Shop"\n`), answer);
    assert.match(answer, /error: stock is \{"left":0\}/);
    assert.match(answer, /error: Uncaught TypeError: Cannot read .* at pay \(\/:2:/);
    assert.match(answer, /failed: GET \/fail 500/);
    assert.ok(answer.length < 400, `${answer.length} bytes: ${answer}`);
    assert.match(text, /--- ALERTS \(2\)/);
    assert.match(text, /Server error: GET \/fail/);
  });

  test("observe shows what the page said, without a line in the page", async () => {
    const { text } = await engine.call_tool("observe", { what: "errors" });
    assert.match(text, /Uncaught TypeError/);
    assert.match(text, /"tab":"p1"/);
    const logs = await engine.call_tool("observe", { what: "network_waterfall" });
    assert.match(logs.text, /\/fail/);
  });

  test("a page that is not there, and one that nobody serves, are told as what they are", async () => {
    const missing = await interact("navigate", { url: `${app.origin}/none` });
    assert.match(missing.text, /none.*, answered 404/);
    const refused = await interact("navigate", { url: "localhost:9" });
    assert.ok(refused.isError);
    assert.match(refused.text, /cannot be opened: net::ERR_/);
  });

  test("back, forward and reload; an end of the history is said", async () => {
    app.set_page("/one", "<title>One</title>");
    app.set_page("/two", "<title>Two</title>");
    await interact("navigate", { url: `${app.origin}/one` });
    await interact("navigate", { url: `${app.origin}/two` });
    assert.match((await interact("navigate", { url: "back" })).text, /\/one "One"/);
    assert.match((await interact("navigate", { url: "forward" })).text, /\/two "Two"/);
    assert.match((await interact("navigate", { url: "reload" })).text, /\/two "Two"/);
    const { isError, text } = await interact("navigate", { url: "forward" });
    assert.ok(isError);
    assert.match(text, /no page to go forward to/);
    assert.match((await interact("navigate", { url: "/one" })).text, /\/one "One"/);
    assert.match((await interact("navigate", { url: "http://" })).text, /names no host: an address is like/);
  });

  test("pages elsewhere and files are refused, with the setting that allows them", async () => {
    const far = await interact("navigate", { url: "http://example.com/" });
    assert.ok(far.isError);
    assert.match(far.text, /"interact":\{"origins":\["http:\/\/example.com"\]\}/);
    assert.ok((await interact("navigate", { url: "file:///etc/passwd" })).isError);
  });

  test("a page that comes back says nothing twice", async () => {
    app.set_page("/said", "<script>console.log('said once')</script>");
    app.set_page("/next", "<p>next");
    await interact("navigate", { url: `${app.origin}/said` });
    await interact("navigate", { url: `${app.origin}/next` });
    await interact("navigate", { url: "back" });
    const { text } = await engine.call_tool("observe", { what: "logs", url: "/said" });
    assert.match(text, /"total":1\b/);
  });

  test("a page that never finishes loading is left after timeout_ms", async () => {
    app.set_page("/hangs", '<title>Hangs</title><img src="/never">');
    const { text, isError } = await interact("navigate", {
      url: `${app.origin}/hangs`,
      timeout_ms: 400,
    });
    assert.ok(!isError, text);
    assert.match(text, /still loading/);
  });

  test("a browser that is killed is told, and the next action has a new one", async () => {
    process.kill(-leader_of(browser_processes(engine.state_dir)), "SIGKILL");
    await wait_until(
      async () => {
        const { text } = await engine.call_tool("configure", { action: "health" });
        return JSON.parse(text).browser.state === "none";
      },
      () => "the engine never noticed",
    );
    app.set_page("/again", "<title>Again</title>");
    const { text, isError } = await interact("navigate", { url: `${app.origin}/again` });
    assert.ok(!isError, text);
    assert.match(text, /\/again "Again"/);
  });
});
