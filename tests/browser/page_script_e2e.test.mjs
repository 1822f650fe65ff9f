// The page script in a real browser, against an engine that only records.
import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { gzipSync } from "node:zlib";
import { built_script } from "./support/built_script.mjs";
import { start_chromium } from "./support/chromium.mjs";
import { start_fake_engine } from "./support/fake_engine.mjs";
import { start_page_server } from "./support/page_server.mjs";

let script;
let browser;
let app;
let engine;
let page;

before(async () => {
  script = await built_script();
  browser = await start_chromium();
  app = await start_page_server();
});

after(async () => {
  await browser?.close();
  await app?.stop();
});

beforeEach(async () => {
  engine = await start_fake_engine(script);
  page = await browser.newPage();
});

afterEach(async () => {
  await page.close();
  await engine.stop();
});

const tag = () => `<script src="${engine.origin}/gasoline.js"></script>`;

const open_page = async (body = "", headers = {}) => {
  app.set_page("/page", `<!doctype html><head>${tag()}</head><body>${body}</body>`, headers);
  await page.goto(`${app.origin}/page?q=1#part`);
};

const log_entry = (matches, timeout_ms) => engine.entry("logs", matches, timeout_ms);
const body_entry = (matches) => engine.entry("network-bodies", matches);
const everything_sent = () => engine.posts.map(({ body }) => body).join("\n");

// Resolves when all that the page has reported so far is here.
const settle = async () => {
  const mark = `mark ${Math.random()}`;
  await page.evaluate((text) => console.debug(text), mark);
  await log_entry(({ message }) => message == mark);
};

test("the script is small", () => {
  assert.ok(gzipSync(script, { level: 9 }).length <= 12288);
  assert.match(script, /^[\x00-\x7f]*$/);
});

test("console calls are reported and still shown", async () => {
  const shown = [];
  page.on("console", (message) => shown.push([message.type(), message.text()]));
  await open_page(`<script>
    const cycle = { a: { b: [1, 2] } };
    cycle.self = cycle;
    console.warn("%s at %d%%", "disk", 95, cycle, document.body);
  </script>`);
  const entry = await log_entry(({ level }) => level == "warn");
  assert.equal(entry.type, "console");
  assert.equal(entry.message, 'disk at 95% {"a":{"b":[1,2]},"self":"[Circular]"} <body>');
  assert.deepEqual(entry.args.slice(2), [95, { a: { b: [1, 2] }, self: "[Circular]" }, "<body>"]);
  assert.equal(entry.url, `${app.origin}/page?q=1#part`);
  assert.equal(entry.lineno, 4);
  assert.equal(shown.find(([type]) => type == "warning")[1].startsWith("%s at %d%% disk 95"), true);
  assert.match(await page.evaluate(() => `${console.warn}`), /native code/);
});

test("each console method has its level", async () => {
  await open_page();
  await page.evaluate(() => {
    for (const method of ["log", "info", "warn", "error", "debug", "trace", "dir", "table"]) {
      console[method](`by ${method}`);
    }
    console.assert(true, "not told");
    console.assert(false, "told");
  });
  await settle();
  const levels = engine
    .entries("logs")
    .slice(0, -1)
    .map(({ level, message }) => [message, level]);
  assert.deepEqual(Object.fromEntries(levels), {
    "by log": "log",
    "by info": "info",
    "by warn": "warn",
    "by error": "error",
    "by debug": "debug",
    "by trace": "debug",
    "by dir": "log",
    "by table": "log",
    "Assertion failed: told": "error",
  });
});

test("hostile values never reach back into the page", async () => {
  await open_page();
  const survived = await page.evaluate(() => {
    console.log({
      get loud() {
        console.log("from a getter");
        throw new Error("no entry");
      },
    });
    console.log({ huge: "x".repeat(5e6) });
    console.log(window, document, new Proxy({}, { ownKeys: () => 1 }), Object.create(null));
    return true;
  });
  assert.equal(survived, true);
  const loud = await log_entry(({ args }) => args?.[0]?.loud);
  assert.equal(loud.args[0].loud, "[Threw: no entry]");
  const huge = await log_entry(({ args }) => /huge/.test(args?.[0]));
  assert.match(huge.args[0], /…\[truncated, more than 10000 bytes; text of 5000000\]$/);
  await settle();
  assert.doesNotMatch(everything_sent(), /from a getter/);
});

test("an uncaught error tells where it happened", async () => {
  await open_page(`<script>
    function break_it() { throw new TypeError("boom", { cause: new Error("root") }); }
    break_it();
  </script>`);
  const entry = await log_entry(({ type }) => type == "exception");
  assert.equal(entry.level, "error");
  assert.equal(entry.message, "Uncaught TypeError: boom");
  assert.equal(entry.filename, `${app.origin}/page?q=1`);
  assert.equal(entry.lineno, 2);
  assert.equal(entry.colno, 33);
  assert.match(entry.stack, /break_it[^]*Caused by: Error: root/);
  assert.match(entry.ts, /^\d{4}-.*Z$/);
});

test("a thrown object is shown, an opaque error is passed on", async () => {
  const other = await start_page_server();
  other.set_page("/broken.js", "throw new Error('hidden')", { "Content-Type": "text/javascript" });
  await open_page(`<script>setTimeout(() => { throw { code: 5 }; })</script>
    <script src="${other.origin.replace("127.0.0.1", "localhost")}/broken.js"></script>`);
  await log_entry(({ message }) => message == 'Uncaught {"code":5}');
  const opaque = await log_entry(({ message }) => message == "Script error.");
  assert.deepEqual([opaque.type, opaque.lineno, opaque.filename], ["exception", 0, ""]);
  await other.stop();
});

test("unhandled rejections are exceptions", async () => {
  await open_page(`<script>
    Promise.reject(new RangeError("too far"));
    Promise.reject({ code: 7 });
    Promise.reject(undefined);
  </script>`);
  const entry = await log_entry(({ message }) => /too far/.test(message));
  assert.equal(entry.message, "Unhandled rejection: RangeError: too far");
  assert.deepEqual([entry.type, entry.level, entry.lineno], ["exception", "error", 2]);
  await log_entry(({ message }) => message == 'Unhandled rejection: {"code":7}');
  await log_entry(({ message }) => message == "Unhandled rejection: undefined");
});

test("elements that do not load are failed requests", async () => {
  await open_page(`<img src="/missing.png"><script src="http://127.0.0.1:1/x.js"></script>`);
  const image = await body_entry(({ url }) => url == `${app.origin}/missing.png`);
  assert.deepEqual([image.method, image.status, image.error], ["GET", 404, "<img> failed to load"]);
  const foreign = await body_entry(({ url }) => url == "http://127.0.0.1:1/x.js");
  assert.equal(foreign.status, 0);
});

test("a failing fetch is reported, and the page gets its answer whole", async () => {
  await open_page();
  const answer = await page.evaluate(async () => (await fetch("/fail", { method: "PUT" })).json());
  assert.deepEqual(answer, { error: "database is down" });
  const entry = await body_entry(({ url }) => url == `${app.origin}/fail`);
  const { ts, duration, page_id, request_id, trace_id, ...rest } = entry;
  assert.ok(duration >= 0 && ts && page_id && request_id && trace_id);
  assert.deepEqual(rest, {
    url: `${app.origin}/fail`,
    method: "PUT",
    status: 500,
    initiator: "fetch",
    content_type: "application/json",
    response_body: '{"error":"database is down"}',
  });
});

test("bodies are short, textual, and never of sign-in pages", async () => {
  await open_page();
  const long = await page.evaluate(async () => {
    await fetch("/login", { method: "POST", body: "user=ann" });
    await fetch("/image");
    await fetch("/stream");
    await fetch("/stalled");
    return (await (await fetch("/long")).text()).length;
  });
  assert.equal(long, 100_000);
  const body_of = async (path) =>
    (await body_entry(({ url }) => url == app.origin + path)).response_body;
  assert.equal(await body_of("/login"), "[REDACTED: auth endpoint]");
  assert.equal(await body_of("/image"), "[Skipped: image/png]");
  assert.equal(await body_of("/stream"), "[Skipped: text/event-stream]");
  assert.equal(await body_of("/stalled"), "first");
  assert.equal(await body_of("/long"), "x".repeat(4096));
  const cut_off = engine.entries("network-bodies").filter((entry) => entry.response_truncated);
  assert.deepEqual(
    cut_off.map(({ url }) => url),
    [`${app.origin}/long`],
  );
  assert.doesNotMatch(everything_sent(), /s3cr3t|user=ann/);
});

test("requests without an answer have status 0, aborted ones say so", async () => {
  await open_page();
  const names = await page.evaluate(async () => {
    const name_of = (request) => request.catch(({ name }) => name);
    const controller = new AbortController();
    const aborted = name_of(fetch("/never?a", { signal: controller.signal }));
    controller.abort();
    const late = name_of(fetch("/never?b", { signal: AbortSignal.timeout(50) }));
    return Promise.all([name_of(fetch("http://localhost:9/")), aborted, late]);
  });
  assert.deepEqual(names, ["TypeError", "AbortError", "TimeoutError"]);
  const error_of = async (end) => {
    const { status, error } = await body_entry(({ url }) => url.endsWith(end));
    return [status, error.split(":")[0]];
  };
  assert.deepEqual(await error_of("/never?a"), [0, "AbortError"]);
  assert.deepEqual(await error_of("/never?b"), [0, "TimeoutError"]);
  assert.deepEqual(await error_of("localhost:9/"), [0, "TypeError"]);
});

test("a fetch that nobody catches still is an unhandled rejection", async () => {
  await open_page(`<script>fetch("http://localhost:9/")</script>`);
  await log_entry(({ message }) => message == "Unhandled rejection: TypeError: Failed to fetch");
});

test("good requests are not reported, slow ones are", async () => {
  await open_page();
  await page.evaluate(() => Promise.all([fetch("/fine"), fetch(new Request("/slow"))]));
  const slow = await body_entry(({ url }) => url.endsWith("/slow"));
  assert.equal(slow.status, 200);
  assert.ok(slow.duration >= 2000);
  assert.equal(engine.entries("network-bodies").length, 1);
});

test("XMLHttpRequest is covered like fetch", async () => {
  await open_page();
  await page.evaluate(async () => {
    const send = (url, type, prepare) =>
      new Promise((resolve) => {
        const request = new XMLHttpRequest();
        request.open("POST", url);
        request.responseType = type;
        request.onloadend = resolve;
        prepare?.(request);
        request.send("typed=secret");
        if (prepare) setTimeout(() => request.abort(), 20);
      });
    await send("/fail", "json");
    await send("/fine", "");
    await send("/login", "");
    await send("/never", "", () => {});
    await send("http://localhost:9/", "");
    const again = new XMLHttpRequest();
    for (const url of ["/fail?1", "/fail?2"]) {
      again.open("GET", url);
      await new Promise((resolve) => {
        again.onload = resolve;
        again.send();
      });
    }
  });
  await body_entry(({ url }) => url.endsWith("/fail?2"));
  const told = engine
    .entries("network-bodies")
    .map(({ url, status, response_body, error }) => [
      new URL(url).pathname,
      status,
      response_body ?? error,
    ]);
  const failure = '{"error":"database is down"}';
  assert.deepEqual(told, [
    ["/fail", 500, failure],
    ["/login", 401, "[REDACTED: auth endpoint]"],
    ["/never", 0, "AbortError"],
    ["/", 0, "network error"],
    ["/fail", 500, failure],
    ["/fail", 500, failure],
  ]);
  assert.doesNotMatch(everything_sent(), /typed=secret/);
});

test("a request and what its server tells of it have one trace", async () => {
  await open_page();
  const given = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  await page.evaluate(async (traceparent) => {
    const send = (url, prepare) =>
      new Promise((resolve) => {
        const request = new XMLHttpRequest();
        request.open("POST", url);
        prepare?.(request);
        request.onload = resolve;
        request.send();
      });
    await fetch("/fail?plain");
    await fetch("/fail?null", null);
    await fetch("/fail?list", { method: "POST", headers: [["X-Own", "1"]] });
    await fetch(new Request("/fail?request", { method: "PUT", headers: { "X-Own": "1" } }));
    await fetch("/fail?given", { headers: { TraceParent: traceparent } });
    await fetch("/fail?options", new Request("/fail", { method: "DELETE" }));
    await send("/fail?xhr");
    await send("/fail?xhr_given", (request) => request.setRequestHeader("Traceparent", traceparent));
  }, given);
  const trace_of = async (end) =>
    (await body_entry(({ url }) => url.endsWith(`?${end}`))).trace_id;
  const traces = new Set();
  for (const end of ["plain", "null", "list", "request", "xhr"]) {
    const trace = await trace_of(end);
    assert.match(app.trace_of(`/fail?${end}`), new RegExp(`^00-${trace}-[0-9a-f]{16}-01$`), end);
    traces.add(trace);
  }
  assert.equal(traces.size, 5);
  for (const end of ["given", "xhr_given"]) {
    assert.equal(app.trace_of(`/fail?${end}`), given);
    assert.equal(await trace_of(end), given.slice(3, 35));
  }
  assert.equal(app.trace_of("/fail?options"), undefined);
  const methods = engine.entries("network-bodies").map(({ method }) => method);
  assert.deepEqual(methods, ["GET", "GET", "POST", "PUT", "GET", "DELETE", "POST", "POST"]);
});

test("a request to another origin is sent as the page made it", async () => {
  const other = await start_page_server();
  other.set_page("/open", "{}", { "Access-Control-Allow-Origin": "*" });
  await open_page();
  const statuses = await page.evaluate(async (origin) => {
    const fetched = await fetch(`${origin}/open`);
    const request = new XMLHttpRequest();
    request.open("GET", `${origin}/open?xhr`);
    await new Promise((resolve) => {
      request.onloadend = resolve;
      request.send();
    });
    return [fetched.status, request.status];
  }, other.origin);
  assert.deepEqual(statuses, [200, 200]);
  assert.equal(other.trace_of("/open") ?? other.trace_of("/open?xhr"), undefined);
  await other.stop();
});

test("the JSON of a failed request is told, what worked and forms are not", async () => {
  await open_page();
  await page.evaluate(async () => {
    const post = (url, body) => fetch(url, { method: "POST", body });
    const json = JSON.stringify({ items: [{ sku: "A1", price: null }] });
    await post("/fail?json", json);
    await post("/fine?json", json);
    await post("/fail?form", "name=ann");
    await post("/fail?data", new URLSearchParams({ name: "ann" }));
    await post("/login?json", '{"user":"ann"}');
    await post("/fail?long", `[${"1,".repeat(1e5)}1]`);
    const headers = { "Content-Type": "application/json" };
    const kept = new Request("/fail?request", { method: "POST", headers, body: json });
    await fetch(kept);
    if (!kept.bodyUsed) throw new Error("the page's own request was not sent");
    await fetch(new Request("/login?request", { method: "POST", headers, body: '{"user":"ann"}' }));
    const request = new XMLHttpRequest();
    request.open("POST", "/fail?xhr");
    request.send(json);
  });
  const sent_to = async (end) =>
    (await body_entry(({ url }) => url.endsWith(end))).request_body;
  const json = '{"items":[{"sku":"A1","price":null}]}';
  assert.equal(await sent_to("/fail?json"), json);
  assert.equal(await sent_to("/fail?xhr"), json);
  assert.equal(await sent_to("/fail?request"), json);
  assert.equal((await sent_to("/fail?long")).length, 4096);
  for (const end of ["/fail?form", "/fail?data", "/login?json", "/login?request"])
    assert.equal(await sent_to(end), undefined);
  assert.doesNotMatch(everything_sent(), /ann/);
});

test("the waterfall has every resource but our own", async () => {
  await open_page(`<img src="/image?v=1">`);
  await page.evaluate(() => fetch("/fine"));
  await engine.entry("network-waterfall", ({ name }) => name == "fine");
  const image = await engine.entry("network-waterfall", ({ name }) => name == "image");
  assert.equal(image.url, `${app.origin}/image?v=1`);
  assert.equal(image.initiator_type, "img");
  assert.ok(image.duration >= 0 && image.start_time > 0 && image.transfer_size > 0);
  assert.equal(engine.documents("network-waterfall")[0].page_url, `${app.origin}/page?q=1#part`);
  assert.ok(!engine.entries("network-waterfall").some(({ url }) => url.startsWith(engine.origin)));
});

test("WebSockets tell their life and their first messages", async () => {
  await open_page();
  const kept = await page.evaluate(async () => {
    class Special extends WebSocket {}
    const socket = new Special(location.origin.replace("http", "ws") + "/socket");
    await new Promise((resolve) => (socket.onclose = resolve));
    return [socket instanceof WebSocket, socket instanceof Special, WebSocket.CLOSED];
  });
  assert.deepEqual(kept, [true, true, 3]);
  const close = await engine.entry("websocket-events", ({ event }) => event == "close");
  assert.deepEqual([close.code, close.reason], [4001, "told to"]);
  assert.ok(close.url.endsWith("/socket") && close.id);
  const events = engine.entries("websocket-events");
  assert.deepEqual(
    events.map(({ event }) => event),
    ["open", ...Array(5).fill("message"), "close"],
  );
  const { direction, data, size } = events[1];
  assert.deepEqual([direction, data, size], ["incoming", "message 1", 9]);
});

test("a WebSocket that cannot connect closes with 1006", async () => {
  await open_page(`<script>new WebSocket("ws://localhost:9/")</script>`);
  const close = await engine.entry("websocket-events", ({ event }) => event == "close");
  assert.equal(close.code, 1006);
});

test("actions tell what was done, never what was typed", async () => {
  await open_page(`<form onsubmit="return false">
    <input name="mail" value="old"><input type="password" id="word">
    <label>Full <i>name</i><input id="who"></label>
    <select data-testid="size"><option>Small<option>Large</select>
    <button id="go"><b>Save   all</b> ${"now ".repeat(30)}</button></form>
    <div role="tab" class="secret-tab">Private text</div>`);
  await page.fill("[name=mail]", "ann@mail.test");
  await page.fill("#word", "hunter2hunter2");
  await page.keyboard.press("Tab");
  await page.keyboard.press("k");
  await page.fill("#who", "k");
  await page.selectOption("select", "Large");
  await page.click("b");
  await page.click("[role=tab]");
  await engine.entry("enhanced-actions", ({ selectors }) => selectors?.role == "tab");
  const actions = engine.entries("enhanced-actions");
  const told = actions.map(({ ts, timestamp, url, page_id, ...rest }) => rest);
  const of_type = (type) => told.filter((action) => action.type == type);
  const role = null;
  const mail = { role, css: "html>body:nth-child(2)>form:nth-child(1)>input:nth-child(1)" };
  const who = { role, text: "Full name", css: "#who" };
  assert.deepEqual(of_type("input"), [
    { type: "input", selectors: mail, input_type: "text", value_length: 13 },
    { type: "input", selectors: { role, css: "#word" }, input_type: "password" },
    { type: "input", selectors: who, input_type: "text", value_length: 1 },
  ]);
  assert.deepEqual(
    of_type("keypress").map(({ key }) => key),
    ["Tab"],
  );
  assert.equal(of_type("select")[0].selected_index, 1);
  assert.equal(of_type("select")[0].selectors.testid, "size");
  assert.equal(of_type("submit").length, 1);
  const [save, tab] = of_type("click");
  assert.equal(save.selectors.css, "#go");
  assert.match(save.selectors.text, /^Save all now/);
  assert.equal(save.selectors.text.length, 50);
  assert.equal(tab.selectors.text, undefined);
  assert.ok(Math.abs(actions[0].timestamp - Date.now()) < 60_000);
  assert.equal(actions[0].url, `${app.origin}/page?q=1#part`);
  assert.equal(new Set(actions.map(({ page_id }) => page_id)).size, 1);
  assert.match(actions[0].page_id, /^\w{6,}$/);
  assert.doesNotMatch(everything_sent(), /ann@mail|hunter2|Private text/);
});

test("navigation inside the page is reported once per change", async () => {
  await open_page(`<a id="hash" href="#there">x</a>`);
  await page.evaluate(() => {
    history.pushState({}, "", "/pushed");
    history.replaceState({}, "", "/pushed");
    history.replaceState({}, "", "/replaced");
    location.hash = "there";
  });
  await engine.entry("enhanced-actions", ({ to_url }) => to_url?.endsWith("#there"));
  const steps = engine
    .entries("enhanced-actions")
    .filter(({ type }) => type == "navigate")
    .map(({ from_url, to_url }) => [from_url, to_url].map((url) => url.replace(app.origin, "")));
  assert.deepEqual(steps, [
    ["/page?q=1#part", "/pushed"],
    ["/pushed", "/replaced"],
    ["/replaced", "/replaced#there"],
  ]);
});

test("vitals come 2 s after load, then what changed when the page is left", async () => {
  // An input is timed in steps of 8 ms, so that a quick one may have taken 0.
  await open_page(`<h1 onclick="for (const end = performance.now() + 50; performance.now() < end; );">Title</h1>`);
  const first = await engine.entry("performance-snapshots", () => true);
  assert.equal(first.url, `${app.origin}/page`);
  assert.equal(first.navigation_type, "navigate");
  for (const name of [
    "load",
    "dom_content_loaded",
    "time_to_first_byte",
    "first_contentful_paint",
  ]) {
    assert.ok(first.timing[name] > 0, name);
  }
  assert.ok(Math.abs(first.timestamp - Date.now()) < 60_000);
  await page.click("h1");
  // The browser tells an input behind the paint that follows it.
  await page.evaluate(
    () =>
      new Promise((resolve) =>
        new PerformanceObserver(resolve).observe({ type: "first-input", buffered: true }),
      ),
  );
  app.set_page("/next", "next");
  await page.goto(`${app.origin}/next`);
  const last = await engine.entry(
    "performance-snapshots",
    ({ timing }) => timing.largest_contentful_paint,
  );
  assert.equal(last.id, first.id);
  assert.equal(last.cumulative_layout_shift, 0);
  assert.ok(last.timing.interaction_to_next_paint >= 40);
  assert.equal(last.timing.load, undefined);
  assert.equal(last.timing.first_contentful_paint, undefined);
});

test("a layout shift counts", async () => {
  await open_page(`<div id="top"></div><h1>Title</h1>
    <script>
      setTimeout(() => { document.getElementById("top").style.height = "300px"; }, 300);
    </script>`);
  await page.waitForTimeout(600);
  await page.goto("about:blank");
  const shifted = ({ cumulative_layout_shift }) => cumulative_layout_shift > 0;
  await engine.entry("performance-snapshots", shifted);
});

test("a page back from the cache is a visit of its own", async () => {
  await open_page("<h1>Title</h1>");
  const first = await engine.entry("performance-snapshots", () => true);
  app.set_page("/next", "next");
  await page.goto(`${app.origin}/next`);
  await page.goBack({ waitUntil: "commit" });
  const restored = await engine.entry(
    "performance-snapshots",
    ({ navigation_type }) => navigation_type == "back-forward-cache",
  );
  assert.notEqual(restored.id, first.id);
  assert.equal(restored.timing.load, undefined);
  await page.evaluate(() => console.error("still here"));
  await log_entry(({ message }) => message == "still here");
});

test("what a content security policy blocks is reported", async () => {
  await open_page(`<img src="http://evil.test/pixel.png">`, {
    "Content-Security-Policy": "img-src 'self'",
  });
  const entry = await log_entry(({ type }) => type == "security");
  assert.equal(entry.level, "warn");
  assert.equal(entry.message, "CSP: http://evil.test/pixel.png violates img-src");
  assert.equal(entry.violated_directive, "img-src");
  assert.equal(entry.blocked_url, "http://evil.test/pixel.png");
  assert.equal(entry.disposition, "enforce");
});

test("insecure content of a secure page is reported", async () => {
  await page.context().grantPermissions(["local-network-access"]);
  await page.route("https://localhost/**", (route) =>
    route.fulfill({ contentType: "text/html", body: `<!doctype html>${tag()}` }),
  );
  await page.goto("https://localhost/secure");
  await page.evaluate(() => fetch("http://insecure.test/data").catch(() => {}));
  const entry = await log_entry(({ type }) => type == "security");
  assert.equal(entry.message, "Mixed content: http://insecure.test/data");
  assert.equal(entry.violated_directive, "mixed-content");
});
