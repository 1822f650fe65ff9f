// What an action brings about later than at once: the answer tells it all the same, and where the page has
// nothing more to come, nobody waits. The engine's moment of quiet is long here, so that it is the page's own
// knowledge that ends the wait, on a busy machine too. GASOLINE_BIN names the program.
import assert from "node:assert/strict";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { acting_suite, needs_program } from "./support/acting_suite.mjs";
import { bundled_app } from "./support/bundled_app.mjs";
import { start_http_server } from "./support/http_server.mjs";

const quiet_ms = 4_000;
const far_below_quiet_ms = 3_000;

const settings = () => {
  const file = join(mkdtempSync(join(tmpdir(), "gasoline-settings-")), "settings.json");
  const limits = { browser_quiet_ms: quiet_ms, browser_settle_ms: 20_000, client_tool_calls_per_minute: 10_000 };
  writeFileSync(file, JSON.stringify({ limits }));
  return ["--config", file];
};

const fault = `console.error("late fault")`;

// What a page does when its button is clicked; each ends with the fault.
const ways = {
  "a timer": `setTimeout(() => ${fault}, 300)`,
  "a timer that is given as a text": `setTimeout('console.error("late fault")', "200")`,
  "timers that start timers": `setTimeout(() => setTimeout(() => setTimeout(() => ${fault}, 150), 0), 150)`,
  "the second tick of an interval": `let n = 0; const each = setInterval(() => {
    if (++n < 2) return; clearInterval(each); ${fault} }, 40)`,
  "frames, and a timer behind them": `requestAnimationFrame(() => requestAnimationFrame(() =>
    setTimeout(() => ${fault})))`,
  "tasks that follow each other": `const { port1, port2 } = new MessageChannel(); let n = 0;
    port1.onmessage = () => (++n < 500 ? port2.postMessage(0) : ${fault}); port2.postMessage(0)`,
  "what runs when the page is idle": `requestIdleCallback(() => ${fault})`,
  "what comes into sight": `const far = document.body.appendChild(document.createElement("p"));
    new IntersectionObserver(([{ isIntersecting }]) => isIntersecting && fetch("/fine").then(() => ${fault})).observe(far)`,
  "the end of a transition": `box.ontransitionend = () => ${fault}; box.style.opacity = 0`,
  "an answer, what it holds, and a timer": `fetch("/fine").then((r) => r.json()).then(() => setTimeout(() => ${fault}, 200))`,
  "an answer that comes in pieces": `fetch("/in_pieces").then((r) => r.json()).then(() => ${fault})`,
  "an answer that comes in pieces, read as a stream": `fetch("/in_pieces").then(async ({ body }) => {
    for await (const each of body); ${fault} })`,
  "an answer that comes in pieces, read in a frame": `frames[0].fetch("/in_pieces").then((r) => r.clone().text())
    .then(() => ${fault})`,
  "an answer that comes in pieces, read when another has come": `const first = fetch("/in_pieces");
    fetch("/fine").then(async () => { await (await first).text(); ${fault} })`,
  "a module that is loaded then": `import("/chunk.js")`,
  "a worker's answer": `worker.onmessage = () => ${fault}; worker.postMessage(0)`,
  "a frame's timer": `frames[0].setTimeout(() => ${fault}, 300)`,
  "a timer of a frame from another port": `frames[1].postMessage(0, "*")`,
  "a database": `const open = indexedDB.open("shop" + Math.random());
    open.onupgradeneeded = () => open.result.createObjectStore("carts");
    open.onsuccess = () => open.result.transaction("carts", "readwrite").objectStore("carts").put(1, 1).onsuccess =
      () => ${fault}`,
  "a file that is read": `new Blob(["x"]).text().then(() => { const r = new FileReader(); r.onload = () => ${fault};
    r.readAsDataURL(new Blob(["x".repeat(1e6)])) })`,
  "a socket's answer": `socket.onmessage = () => ${fault}; socket.send("ask")`,
};

describe("what comes late", needs_program, () => {
  const { app, done, open } = acting_suite(settings);

  // Workers and sockets have the engine wait for what they begin with: only those who need one have one.
  const page = (way, inner) => `<title>Late</title><style>#box { transition: opacity .3s }</style>
    <div id=box>Box</div><iframe srcdoc="<p>inner"></iframe><iframe src="${inner}/inner"></iframe><button>Go</button>
    <script type=module>
      ${way.includes("worker.") ? worker : ""}
      ${way.includes("socket.") ? socket : ""}
      document.querySelector("button").onclick = () => { ${way} };
    </script>`;
  const worker = `const worker =
    new Worker(URL.createObjectURL(new Blob(["onmessage = () => setTimeout(postMessage, 300, 1)"])))`;
  const socket = `const socket = new WebSocket(location.origin.replace("http", "ws") + "/talk");
    await new Promise((open) => (socket.onopen = open))`;

  const timed = async (action) => {
    const begun = performance.now();
    const text = await action();
    return { text, ms: performance.now() - begun };
  };

  for (const [name, way] of Object.entries(ways))
    test(`${name}`, async () => {
      const other = app.origin.replace("127.0.0.1", "localhost");
      app.set_page("/inner", `<script>onmessage = () => setTimeout(() => console.error("late fault"), 300)</script>`);
      app.set_page("/chunk.js", "console.error('late fault')", { "Content-Type": "text/javascript" });
      app.set_socket("/talk", ({ send, heard }) => heard(() => setTimeout(send, 300, "answer")));
      await open(page(way, other));
      const text = await done("click", { text: "Go" });
      assert.match(text, /error: late fault/);
    });

  test("a request that fails when the page has loaded, in an effect of React", async () => {
    const script = await bundled_app(`
      import { lazy, Suspense, useEffect, useState } from "react";
      import { createRoot } from "react-dom/client";
      const Cart = lazy(async () => ({ default: () => {
        useEffect(() => { const timer = setTimeout(() => fetch("/fail"), 80); return () => clearTimeout(timer) }, []);
        return <p>Two pears</p>;
      } }));
      const App = () => {
        const [is_open, open] = useState(false);
        useEffect(() => { fetch("/none") }, []);
        return <><button onClick={() => open(true)}>Cart</button>
          <Suspense fallback={<p>Wait</p>}>{is_open && <Cart />}</Suspense></>;
      };
      createRoot(document.querySelector("main")).render(<App />);`);
    app.set_page("/app.js", script, { "Content-Type": "text/javascript" });
    const loaded = await open(`<main></main><script src=/app.js></script>`);
    assert.match(loaded, /failed: GET \/none 404/);
    const clicked = await done("click", { text: "Cart" });
    assert.match(clicked, /failed: GET \/fail 500/);
    assert.match(clicked, /\+ Two pears/);
  });

  test("what a server tells by its socket after a request has changed something there", async () => {
    let tell;
    const orders = await start_http_server((_, response) => {
      response.writeHead(204).end();
      setTimeout(tell, 300, "news");
    });
    app.set_socket("/talk", ({ send }) => (tell = send));
    await open(`<button onclick="fetch('${orders.origin}', { method: 'POST', mode: 'no-cors' })">Order</button><script>
      new WebSocket(location.origin.replace("http", "ws") + "/talk").onmessage = () => ${fault}</script>`);
    assert.match(await done("click", { text: "Order" }), /error: late fault/);
    await orders.stop();
  });

  test("a file that is saved by a link that is in no document", async () => {
    await open(`<button onclick="const a = document.createElement('a'); a.download = 'list.txt';
      a.href = window.URL.createObjectURL(new Blob(['list'])); a.click()">Save</button>`);
    assert.match(await done("click", { text: "Save" }), /download of "list.txt"/);
  });

  test("a beacon that fails", async () => {
    await open(`<button onclick="navigator.sendBeacon('/none')">Note</button>`);
    assert.match(await done("click", { text: "Note" }), /failed: POST \/none 404/);
  });

  test("nobody waits for a page that has nothing more to come", async () => {
    const still = `<title>Still</title><iframe srcdoc="<p>inner"></iframe><p id=n>0</p>
      <button onclick="n.textContent = 1; fetch('/fine'); console.log('clicked')">Count</button>
      <script>setInterval(() => 0, 20); setTimeout(() => 0, 60_000); fetch("/fine")</script>`;
    const loaded = await timed(() => open(still));
    assert.ok(loaded.ms < far_below_quiet_ms, `${loaded.ms} ms to load`);
    const clicked = await timed(() => done("click", { text: "Count" }));
    assert.match(clicked.text, /\+ 1/);
    assert.ok(clicked.ms < far_below_quiet_ms, `${clicked.ms} ms to click`);
  });

  test("an answer that the page does not read is not waited for, and told where it failed", async () => {
    await open(`<button onclick="fetch('/stalled'); fetch('/long')">Ask</button>`);
    const { text, ms } = await timed(() => done("click", { text: "Ask" }));
    assert.match(text, /failed: GET \/stalled 500/);
    assert.match(text, /failed: GET \/long 500: xxx/);
    assert.ok(ms < far_below_quiet_ms, `${ms} ms`);
  });

  test("a page's own timers are as the browser's", async () => {
    await open("<p>Timers");
    const is = (expression) => done("evaluate", { expression });
    assert.match(await is("Function.prototype.toString.call(setTimeout)"), /\[native code\]/);
    assert.match(await is("[setTimeout.name, setTimeout.length].join()"), /setTimeout,1/);
    assert.match(await is("new Promise((ok) => setTimeout((a, b) => ok(a + b), 5, 'one ', 'two'))"), /one two/);
    assert.match(await is("try { setTimeout.call({}, () => 0) } catch (e) { e.name }"), /TypeError/);
    assert.match(await is("Object.keys(globalThis).filter((key) => key.startsWith('gasoline.')).length"), /0|1/);
  });
});
