// Twenty-two edits of eleven faults in real apps, of which eleven mend nothing: React and Vue in front, Node and Python behind.
// `analyze diff` says fixed when the fault is gone, and only then, at whatever moment it is asked.
import { spawnSync } from "node:child_process";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { bundled_app } from "./support/bundled_app.mjs";
import { start_chromium } from "./support/chromium.mjs";
import { start_http_server } from "./support/http_server.mjs";
import { fix_judge } from "./support/is_it_fixed.mjs";
import { start_program } from "./support/program.mjs";
import { start_real_engine } from "./support/real_engine.mjs";

const gasoline = process.env.GASOLINE_BIN;

const click = (name) => (page) => page.getByRole("button", { name }).click();
const pay = click("Pay");
const loaded = async () => {};

const react = (component) => `
  import { useEffect, useState } from "react";
  import { createRoot } from "react-dom/client";
  ${component}
  createRoot(document.querySelector("#app")).render(<App />);`;

const vue = (component) => `
  import { createApp } from "vue";
  createApp(${component}).mount("#app");`;

const ok = (value) => ({ status: 200, value });

const node = (handler) => ({
  command: ["node"],
  file: "server.cjs",
  source: `const { createServer } = require("node:http");
const orders = new Map([["7", { id: 7, lines: [1, 2] }]]);
${handler}
createServer((request, response) => {
  if (request.url === "/ready") return response.end("ready");
  try {
    const value = order_of(request.url);
    response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(value));
  } catch (error) {
    failed(error);
    response.writeHead(500, { "Content-Type": "application/json" }).end('{"error":"no"}');
  }
}).listen(process.env.PORT, "127.0.0.1");
`,
});
const logs = "const failed = (error) => console.error(error);";
const crashes = "const failed = (error) => { throw error; };";
const stays_silent = "const failed = () => {};";

const python = (handler) => ({
  command: ["python3", "-u"],
  file: "server.py",
  source: `import json
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

ORDERS = {"7": {"id": 7, "lines": [1, 2]}}

${handler}

class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        value = "ready" if self.path == "/ready" else order_of(self.path)
        body = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass

ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Handler).serve_forever()
`,
});

const flask = (handler) => ({
  command: ["python3", "-u"],
  file: "shop.py",
  source: `import os
from flask import Flask, jsonify

app = Flask("shop")

@app.get("/ready")
def ready():
    return "ready"

@app.get("/api/order/<number>")
def order(number):
${handler}

app.run(host="127.0.0.1", port=int(os.environ["PORT"]))
`,
});

// What asks the servers: a page without any framework.
const shop = `<button onclick="go()">Pay</button><p></p>
  <script>const go = () => fetch("/api/order/7").then((r) => r.json()).then((order) => {
    document.querySelector("p").textContent = order.id;
  }, () => {});</script>`;
const page_of = (script) => ({ script, api: {} });
const served = (server) => ({ body: shop, server });

const react_cart = (read) =>
  react(`const App = () => {
    const [cart, set_cart] = useState({ items: [] });
    return <button onClick={() => set_cart({})}>Pay {${read}}</button>;
  };`);
const react_list = (read, more = "") =>
  react(`const List = () => {
    const [items, set_items] = useState([]);
    useEffect(() => { fetch("/api/items").then((r) => r.json()).then((body) => set_items(${read})); }, []);
    return <ul>{items.map((item) => <li key={item}>{item}</li>)}</ul>;
  };
  ${more || "const App = () => <List />;"}`);
const vue_cart = (method, button = "") =>
  vue(`{
    data: () => ({ cart: {}, total: "" }),
    methods: { pay() { ${method} } },
    template: '<button @click="pay" ${button}>Pay</button><p>{{ total }}</p>',
  }`);
const vue_list = (read) =>
  vue(`{
    data: () => ({ body: { items: [] } }),
    async mounted() { this.body = await (await fetch("/api/items")).json(); },
    template: "<p>{{ ${read} }} items</p>",
  }`);

// Each fault with the app that shows it, what is done in it, an edit that mends it, and one that does not.
const faults = [
  {
    name: "React: a component that fails to render after a click, and fails otherwise",
    broken: page_of(react_cart("cart.items.length")),
    use: pay,
    mended: page_of(react_cart("cart.items?.length")),
    not_mended: page_of(react_cart("cart.items.filter(Boolean).length")),
  },
  {
    name: "React: null where a list should be, and nobody asks for the list",
    broken: { script: react_list("body.items.slice()"), api: { "/api/items": ok({ items: null }) } },
    use: loaded,
    mended: { script: react_list("body.items ?? []"), api: { "/api/items": ok({ items: null }) } },
    not_mended: {
      script: react_list(
        "body.items.slice()",
        `const App = () => {
          const [open, set_open] = useState(false);
          return open ? <List /> : <button onClick={() => set_open(true)}>Open</button>;
        };`,
      ),
      api: { "/api/items": ok({ items: null }) },
    },
  },
  {
    name: "React: an event handler, and a button that is there no longer",
    broken: page_of(react("const App = () => <button onClick={() => order.send()}>Pay</button>; const order = {};")),
    use: pay,
    mended: page_of(
      react("const App = () => <button onClick={() => order.send()}>Pay</button>; const order = { send() {} };"),
    ),
    not_mended: page_of(react("const App = () => <button onClick={() => order.send()}>Order</button>; const order = {};")),
    use_not_mended: loaded,
  },
  {
    name: "Vue: a method, and the same fault a line later",
    broken: page_of(vue_cart("this.total = this.cart.total.toFixed(2)")),
    use: pay,
    mended: page_of(vue_cart("this.total = (this.cart.total ?? 0).toFixed(2)")),
    not_mended: page_of(vue_cart("this.total = 0;\n this.total = this.cart.total.toFixed(2)")),
  },
  {
    name: "Vue: a template that reads null, and a server that fails now",
    broken: { script: vue_list("body.items.length"), api: { "/api/items": ok({ items: null }) } },
    use: loaded,
    mended: { script: vue_list("body.items?.length"), api: { "/api/items": ok({ items: null }) } },
    not_mended: {
      script: vue_list("body.items.length"),
      api: { "/api/items": { status: 500, value: { items: [] } } },
    },
  },
  {
    name: "Vue: a click, and a button that cannot be clicked",
    broken: page_of(vue_cart("this.order.send()")),
    use: pay,
    mended: page_of(vue_cart("this.total = 'sent'")),
    not_mended: page_of(vue_cart("this.order.send()", "disabled")),
    use_not_mended: loaded,
  },
  {
    name: "Node: an error that is logged and answered with 500, and one that is no longer logged",
    broken: served(node(`${logs} const order_of = (url) => orders.get(url).lines;`)),
    use: pay,
    mended: served(node(`${logs} const order_of = (url) => orders.get(url.split("/").pop());`)),
    not_mended: served(node(`${stays_silent} const order_of = (url) => orders.get(url).lines;`)),
  },
  {
    name: "Node: an error that ends the server, and a route that nobody asks",
    broken: served(node(`${crashes} const order_of = (url) => orders.get(url).lines;`)),
    use: pay,
    mended: served(node(`${crashes} const order_of = (url) => orders.get(url.split("/").pop());`)),
    not_mended: served(node(`${crashes} const order_of = (url) => orders.get(url).lines;`)),
    use_not_mended: loaded,
  },
  {
    name: "Node: an error that comes behind a good answer, and comes otherwise",
    broken: served(node(`${logs} const order_of = () => { Promise.reject(new RangeError("no pool")); return { id: 7 }; };`)),
    use: pay,
    faults: 1,
    mended: served(node(`${logs} const order_of = () => ({ id: 7 });`)),
    not_mended: served(
      node(`${logs} const order_of = () => { setTimeout(() => { throw new RangeError("no pool left") }, 30); return { id: 7 }; };`),
    ),
  },
  {
    name: "Python: an exception, and another one",
    broken: served(python('def order_of(path):\n    return ORDERS[path.split("/")[1]]')),
    use: pay,
    mended: served(python('def order_of(path):\n    return ORDERS[path.split("/")[-1]]')),
    not_mended: served(python('def order_of(path):\n    return ORDERS[int(path.split("/")[1])]')),
  },
  {
    name: "Flask: an exception, and one that is caught and answered with 500",
    needs: ["python3", "-c", "import flask"],
    broken: served(flask('    return jsonify({"id": {}[number]})')),
    use: pay,
    mended: served(flask('    return jsonify({"id": number})')),
    not_mended: served(
      flask('    try:\n        return jsonify({"id": {}[number]})\n    except KeyError:\n        return jsonify({"error": "no"}), 500'),
    ),
  },
];

const is_there = ([program, ...words]) => spawnSync(program, words).status === 0;

describe("is it fixed, in apps?", { skip: gasoline ? false : "GASOLINE_BIN is not set" }, () => {
  let app;
  let browser;
  let engine;
  let page;
  let script;
  let server;
  let shown;

  const from_server = async (path, response) => {
    try {
      const answer = await fetch(server.origin + path);
      response.writeHead(answer.status, { "Content-Type": answer.headers.get("content-type") ?? "" });
      response.end(await answer.text());
    } catch {
      response.destroy(); // as the server did
    }
  };

  before(async () => {
    app = await start_http_server((request, response) => {
      const path = request.url.split("?")[0];
      if (path == "/") {
        response.writeHead(200, { "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store" });
        const head = `<link rel="icon" href="data:,"><script src="${engine.origin}/gasoline.js"></script>`;
        const body = shown.body ?? `<div id="app"></div><script src="/app.js"></script>`;
        return response.end(`<!doctype html>${head}<body>${body}</body>`);
      }
      if (path == "/app.js") {
        response.writeHead(200, { "Content-Type": "text/javascript", "Cache-Control": "no-store" });
        return response.end(script);
      }
      if (server) return from_server(path, response);
      const answer = shown.api?.[path] ?? { status: 404, value: { error: "not here" } };
      response.writeHead(answer.status, { "Content-Type": "application/json" });
      return response.end(JSON.stringify(answer.value));
    });
    browser = await start_chromium();
  });

  beforeEach(async () => {
    engine = await start_real_engine(gasoline);
    page = await browser.newPage();
  });

  afterEach(async () => {
    await server?.stop();
    server = undefined;
    await page?.close();
    await engine?.leave();
  });

  after(async () => {
    await browser?.close();
    await app?.stop();
  });

  const show = async (version) => {
    await server?.stop();
    server = undefined;
    shown = version;
    if (version.script) script = await bundled_app(version.script);
    if (version.server) {
      const { command, file, source } = version.server;
      server = await start_program(gasoline, engine.state_dir, command, file, source);
    }
    await page.goto(app.origin);
  };

  // The app with its fault, as the engine has heard of it, and the edit.
  const broken_then = async (fault, version, use) => {
    await show(fault.broken);
    await fault.use(page);
    await fix_judge(engine).heard_of_fault(fault.faults ?? (fault.broken.server ? 2 : 1)); // in the page, and in its server
    await show(version);
    await use(page);
  };

  for (const fault of faults) {
    const skip = !fault.needs || is_there(fault.needs) ? false : `${fault.needs.join(" ")} fails`;

    test(`${fault.name}: mended`, { skip }, async () => {
      await broken_then(fault, fault.mended, fault.use);
      await fix_judge(engine).says_fixed();
    });

    test(`${fault.name}: not mended`, { skip }, async () => {
      await broken_then(fault, fault.not_mended, fault.use_not_mended ?? fault.use);
      await fix_judge(engine).never_says_fixed();
    });
  }
});
