// What a page measured of its own speed, asked of a real Chromium that the engine launches.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { start_acting_engine } from "./support/acting_engine.mjs";
import { start_http_server } from "./support/http_server.mjs";

const program = process.env.GASOLINE_BIN;

// A style sheet that holds up the paint, a script that holds up the page, and a banner that pushes the text away.
const page = `<!doctype html><html lang="en"><head><title>Slow</title><link rel="stylesheet" href="/slow.css"></head>
  <body><div id="top"></div><h1 style="font-size:60px">A large heading</h1><p>Text</p>
  <script src="/heavy.js"></script></body></html>`;
const heavy = `function crunch() {
    for (const end = performance.now() + 180; performance.now() < end; ) Math.sqrt(2);
  }
  setTimeout(crunch, 100);
  setTimeout(() => { document.querySelector("#top").style.height = "300px" }, 400);`;

describe("what a page measured", { skip: program ? false : "GASOLINE_BIN is not set" }, () => {
  let app;
  let engine;

  before(async () => {
    app = await start_http_server((request, response) => {
      const [type, text] = {
        "/slow.css": ["text/css", "body { color: black }"],
        "/heavy.js": ["text/javascript", heavy],
      }[request.url] ?? ["text/html", page];
      const answer = () => response.writeHead(200, { "Content-Type": type }).end(text);
      return request.url == "/slow.css" ? setTimeout(answer, 120) : answer();
    });
    engine = await start_acting_engine(program, app);
  });

  after(async () => {
    await app?.stop();
    assert.equal(await engine?.leave(), 0);
  });

  test("parts of the largest paint, long frames by script, shifts by element, what holds up the paint", async () => {
    await engine.done("navigate", { url: `${app.origin}/` });
    await engine.done("wait_for", { text: "Text" });
    await engine.done("evaluate", { expression: "new Promise((done) => setTimeout(done, 900))" });
    const { text, isError } = await engine.call_tool("analyze", { what: "performance", page: "p1" });
    assert.ok(!isError, text);
    const [sentence, document] = text.split("\n");
    const told = JSON.parse(document);
    assert.match(sentence, /LCP [0-9]+ ms/);
    assert.ok(told.lcp[0].render_delay > 0, text);
    assert.match(told.lcp[0].element, /^w[0-9]+e[0-9]+$/);
    assert.ok(told.scripts.some(({ script, ms }) => script.endsWith("/heavy.js") && ms > 100), text);
    assert.ok(told.shifts[0].score > 0, text);
    assert.ok(told.render_blocking.some(({ url, ms }) => url.endsWith("/slow.css") && ms > 80), text);
  });

  test("a page that is not there", async () => {
    const { text, isError } = await engine.call_tool("analyze", { what: "performance", page: "p99" });
    assert.ok(isError);
    assert.match(text, /There is no page p99/);
  });
});
