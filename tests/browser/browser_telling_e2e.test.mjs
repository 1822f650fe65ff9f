// What the engine's own browser tells of a page without a line in it: the same whether the page loads
// the page script or not, each event once.
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { start_acting_engine } from "./support/acting_engine.mjs";
import { start_http_server } from "./support/http_server.mjs";
import { start_page_server } from "./support/page_server.mjs";
import { wait_until } from "./support/wait_until.mjs";

const program = process.env.GASOLINE_BIN;

describe("what a browser tells", { skip: program ? false : "GASOLINE_BIN is not set" }, () => {
  let app;
  let engine;
  let done;
  let open;

  before(async () => {
    app = await start_page_server();
    engine = await start_acting_engine(program, app);
    ({ done, open } = engine);
  });

  beforeEach(() => app.reset());

  after(async () => {
    await app?.stop();
    assert.equal(await engine.leave(), 0);
  });

  // The events of the page that is open, from what observe lists.
  const observed = async (what, mark, include_noise = false) => {
    const { text } = await engine.call_tool("observe", { what, limit: 1000, include_noise });
    const lists = JSON.parse(text.slice(text.indexOf("\n{")).split("\n--- ALERTS")[0]);
    return lists.items.filter((item) => JSON.stringify(item).includes(mark));
  };

  const seen = (what, mark, matches = () => true) =>
    wait_until(
      async () => {
        await new Promise((resolve) => setTimeout(resolve, 300)); // a client may make 100 calls a minute
        return (await observed(what, mark)).find(matches);
      },
      () => `no such event of ${what} with ${mark}`,
    );

  test("the same events, each once, with the page script and without it", async () => {
    const page = (script, mark) => `${script}<title>${mark}</title><button>Go</button><script>
      console.error("bad stock ${mark}", { left: 0 });
      console.log("plain ${mark}");
      setTimeout(() => { throw new TypeError("thrown ${mark}") });
      Promise.reject(new Error("rejected ${mark}"));
      fetch("/fail?${mark}"); fetch("/missing?${mark}"); fetch("/fine?${mark}");
      const socket = new WebSocket("ws" + location.origin.slice(4) + "/socket?${mark}");
      document.querySelector("button").onclick = () => console.warn("clicked ${mark}");
      </script>`;
    const counts = {};
    for (const [mark, script] of [
      ["bare", ""],
      ["tagged", `<script src="${engine.origin}/gasoline.js"></script>`],
    ]) {
      app.set_page(`/${mark}`, page(script, mark));
      await done("navigate", { url: `${app.origin}/${mark}` });
      await done("click", { role: "button", name: "Go" });
      await seen("websocket_events", mark, ({ event }) => event == "close");
      await seen("actions", mark, ({ type }) => type == "click");
      await done("wait_for");
      counts[mark] = {};
      for (const what of ["logs", "network_bodies", "network_waterfall", "websocket_events", "actions"]) {
        const items = (await observed(what, mark)).filter(
          ({ url = "", name = "" }) => !/gasoline\.js|favicon/.test(`${url}${name}`),
        );
        counts[mark][what] = items
          .map(({ message, url, event, type, method, status, count = 1 }) =>
            JSON.stringify([message, url, event, type, method, status, count])
              .replaceAll(mark, "MARK")
              .replace(/\/MARK:\d+:\d+/g, ""),
          )
          .sort();
      }
    }
    assert.deepEqual(counts.tagged, counts.bare);
    assert.ok(counts.bare.logs.length >= 5, JSON.stringify(counts.bare));
    assert.equal(counts.bare.logs.filter((line) => line.includes("thrown MARK")).length, 1);
    assert.equal(counts.bare.network_bodies.filter((line) => line.includes("/fail")).length, 1);
    assert.equal(counts.bare.websocket_events.filter((line) => line.includes('"message"')).length, 5);
    assert.ok(counts.bare.actions.some((line) => line.includes('"click"')), JSON.stringify(counts.bare.actions));
  });

  test("what a user does is told without what was typed, and who did it", async () => {
    await open(`<title>form</title><label>Name <input></label><button>Save</button>`);
    await done("fill", { label: "Name", value: "typed-by-nobody-else" });
    await done("click", { role: "button", name: "Save" });
    const click = await seen("actions", "Save", ({ type, name }) => (type ?? name) == "click");
    assert.equal(click.by, "interact");
    const { text } = await engine.call_tool("observe", { what: "actions" });
    assert.ok(!text.includes("typed-by-nobody-else"), text);
    assert.ok((await observed("actions", "navigate")).length > 0);
    const { text: timeline } = await engine.call_tool("observe", { what: "timeline" });
    assert.match(timeline, /interact/);
  });

  test("vitals of a page that loads no script", async () => {
    await open(`<title>vitals</title><h1>Large</h1>`);
    const load = await seen("performance", "/", (item) => JSON.stringify(item).includes("fcp") || item.metrics || item.timing);
    assert.ok(load);
    const { text } = await engine.call_tool("observe", { what: "vitals" });
    assert.match(text, /fcp|FCP|first_contentful_paint/);
  });

  test("addresses that the page changes by itself, and what its policy blocks", async () => {
    app.set_page("/", `<script nonce=a>history.pushState({}, "", "/inner-address");</script>
      <img src="http://localhost:1/blocked.png">`, {
      "Content-Security-Policy": "default-src 'self'; script-src 'nonce-a'",
    });
    await done("navigate", { url: `${app.origin}/` });
    await seen("actions", "/inner-address", ({ type, name }) => (type ?? name) == "navigate");
    const blocked = await seen("logs", "blocked.png");
    assert.equal(blocked.type, "security");
    assert.equal((await observed("logs", "blocked.png")).length, 1);
  });

  test("a cookie that is not taken, a dialog, a download, an EventSource", async () => {
    const site = await start_http_server((request, response) => {
      if (request.url == "/events")
        return response
          .writeHead(200, { "Content-Type": "text/event-stream" })
          .write("data: first-of-stream\n\n");
      if (request.url == "/file")
        return response
          .writeHead(200, { "Content-Disposition": "attachment; filename=report.csv" })
          .end("a,b");
      return response
        .writeHead(200, { "Content-Type": "text/html", "Set-Cookie": "tracker=s3cret-value; SameSite=None" })
        .end(`<title>site</title><a href="/file" download>Get</a><button onclick="confirm('Sure thing?')">Ask</button>
          <script>new EventSource("/events")</script>`);
    });
    await done("navigate", { url: site.origin });
    const cookie = await seen("logs", "tracker");
    assert.match(cookie.message, /Cookie tracker was not set: Exclude/);
    await seen("websocket_events", "first-of-stream");
    await done("click", { role: "button", name: "Ask" });
    await done("dialog", { accept: true });
    await seen("logs", "Sure thing?");
    await done("click", { role: "link", name: "Get" });
    await seen("logs", "report.csv");
    const { text } = await engine.call_tool("observe", { what: "logs" });
    assert.ok(!text.includes("s3cret-value"), text);
    await done("navigate", { url: `${app.origin}/` });
    await site.stop();
  });

  test("why a socket was closed: by its server, by the page, in a worker", async () => {
    // It answers what the page says when it closes.
    app.set_socket("/kept", ({ close }) => setTimeout(() => close(4100, "enough"), 300));
    app.set_page("/worker.js", `new WebSocket("ws" + location.origin.slice(4) + "/socket?of-worker")`, {
      "Content-Type": "text/javascript",
    });
    await open(`<script>
      const at = (path) => new WebSocket("ws" + location.origin.slice(4) + path);
      at("/socket?told-to");
      const kept = at("/kept?by-page");
      kept.onopen = () => kept.close(4100, "enough");
      class Own extends WebSocket {}
      document.title = new Own("ws" + location.origin.slice(4) + "/kept") instanceof Own && WebSocket.name;
      new Worker("/worker.js");
      console.log("binding " + typeof gasoline_closed);
      </script>`);
    const by_server = await seen("websocket_events", "told-to", ({ event }) => event == "close");
    assert.equal(by_server.code ?? by_server.status, 4001);
    assert.equal(by_server.reason, "told to");
    const of_worker = await seen("websocket_events", "of-worker", ({ event }) => event == "close");
    assert.equal(of_worker.code ?? of_worker.status, 4001);
    await seen("logs", "binding undefined");
    const by_page = (await observed("websocket_events", "by-page", true)).find(({ event }) => event == "close");
    assert.equal(by_page?.code ?? by_page?.status, 4100);
    assert.equal(by_page.cause, "page");
    assert.match(await done("evaluate", { expression: "document.title" }), /^WebSocket/);
  });

  test("what a request sent that failed, of a Request as well", async () => {
    await open(`<script>
      const headers = { "Content-Type": "application/json" };
      const post = (path, body) => ({ method: "POST", headers, body: JSON.stringify(body) });
      fetch("/fail?sent-plain", post("", { sku: "A1", price: null }));
      fetch(new Request("/fail?sent-request", post("", { sku: "B2", password: "pa55word" })));
      fetch("/login?sent-login", post("", { user: "somebody-typed" }));
      </script>`);
    assert.match(JSON.stringify(await seen("network_bodies", "sent-plain")), /A1/);
    const told = JSON.stringify(await seen("network_bodies", "sent-request"));
    assert.match(told, /B2/);
    assert.doesNotMatch(told, /pa55word/);
    assert.doesNotMatch(JSON.stringify(await seen("network_bodies", "sent-login")), /somebody-typed/);
  });

  test("a CORS failure is told with its reason, and its preflight is no request of its own", async () => {
    const api = await start_http_server((request, response) => {
      if (request.method == "OPTIONS") return response.writeHead(403).end();
      return response.writeHead(200).end("{}");
    });
    await open(`<script>fetch("${api.origin}/orders-api", { method: "PUT", headers: { "x-shop": "1" } }).catch(() => {})</script>`);
    const failure = await seen("network_bodies", "/orders-api");
    assert.match(JSON.stringify(failure), /CORS/);
    assert.equal((await observed("network_bodies", "/orders-api")).length, 1);
    await api.stop();
  });

  test("what is on the screen, in 2 KB", async () => {
    await open(`<title>Shop</title><main><h1>Orders</h1><div role=alert>Card was declined</div>
      <table>${"<tr><td>row<td>value</tr>".repeat(500)}</table><button>Pay</button>${"<button>More</button>".repeat(80)}
      <img src="/missing.png"><iframe srcdoc="x"></iframe></main>`);
    const { text, isError } = await engine.call_tool("analyze", { what: "page" });
    const answer = text.split("\n--- ALERTS")[0];
    assert.ok(!isError, text);
    assert.ok(Buffer.byteLength(answer) <= 2048, `${answer.length} bytes`);
    assert.match(answer, /p\d+ "Shop"/);
    assert.match(answer, /messages: Card was declined/);
    assert.match(answer, /headings: Orders/);
    assert.match(answer, /tables: 500 rows/);
    assert.match(answer, /controls: 81 button/);
  });
});
