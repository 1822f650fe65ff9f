// What the clients of development servers hear on their sockets, and what becomes of it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { watched_page } from "./support/watched_page.mjs";

const web = watched_page();

// Opens a page whose client listens at `path`. Gives what the server sends with.
const connect = async (path, protocol, first = []) => {
  let server;
  web.app.set_socket(path, (socket) => {
    server = socket;
    for (const message of first) socket.send(JSON.stringify(message));
  });
  await web.open("<h1>Shop</h1>");
  await web.page.evaluate(
    ([to, name]) => {
      const url = location.origin.replace("http", "ws") + to;
      globalThis.client = name ? new WebSocket(url, name) : new WebSocket(url);
      return new Promise((resolve) => (client.onopen = resolve));
    },
    [path, protocol],
  );
  return { send: (message) => server.send(JSON.stringify(message)), drop: () => server.drop() };
};

const builds = () => web.engine.entries("logs").filter(({ build }) => build);
const told = (matches) => web.log((entry) => entry.build && matches(entry));

// Of each toolchain: how its client connects, a message about an error and what has to be told of it,
// and the message that says that all is well again.
const toolchains = [
  {
    name: "vite",
    path: "/",
    protocol: "vite-hmr",
    broken: {
      type: "error",
      err: {
        message: "/app/src/Cart.jsx: Unexpected token (7:12)",
        stack: "    at parse",
        id: "/app/src/Cart.jsx?t=1",
        frame: "6 | return (\n7 |   <p>\n  |   ^",
        plugin: "vite:react-babel",
        loc: { file: "/app/src/Cart.jsx", line: 7, column: 12 },
      },
    },
    says: ["/app/src/Cart.jsx: Unexpected token (7:12)", "/app/src/Cart.jsx", 7, 12],
    fine: { type: "update", updates: [{ type: "js-update", path: "/src/Cart.jsx" }] },
  },
  {
    name: "angular",
    path: "/",
    protocol: "vite-hmr",
    broken: {
      type: "error",
      err: {
        message: "TS2304: Cannot find name 'totl'.",
        plugin: "angular-compiler",
        loc: { file: "src/app/cart.ts", line: 4, column: 2 },
      },
    },
    says: ["TS2304: Cannot find name 'totl'.", "src/app/cart.ts", 4, 2],
    fine: { type: "full-reload" },
    fine_by: "vite",
  },
  {
    name: "webpack",
    path: "/ws",
    first: [{ type: "hot" }, { type: "liveReload" }, { type: "hash", data: "a" }, { type: "ok" }],
    broken: {
      type: "errors",
      data: [
        {
          moduleName: "./src/cart.js",
          loc: "2:105-110",
          message: "Module parse failed: Unexpected token (2:105)\nYou may need a loader",
        },
      ],
    },
    says: [
      "Module parse failed: Unexpected token (2:105)\nYou may need a loader",
      "./src/cart.js",
      2,
      105,
    ],
    fine: { type: "ok" },
  },
  {
    name: "rsbuild",
    path: "/rsbuild-hmr",
    broken: {
      type: "errors",
      data: {
        text: [
          "\u001b[31m./src/Cart.jsx:3:9\u001b[39m\nModule not found: Can't resolve './prices.js'",
        ],
        html: "",
      },
    },
    says: [
      "Module not found: Can't resolve './prices.js'\n./src/Cart.jsx:3:9",
      "./src/Cart.jsx",
      3,
      9,
    ],
    fine: { type: "ok" },
  },
  {
    name: "next",
    path: "/_next/webpack-hmr",
    broken: {
      action: "built",
      hash: "b",
      errors: [
        {
          moduleName: "./app/page.tsx",
          message: "Module not found: Can't resolve './x'",
          loc: "1:0-20",
        },
      ],
    },
    says: ["Module not found: Can't resolve './x'", "./app/page.tsx", 1, undefined],
    fine: { action: "built", hash: "c", errors: [], warnings: [] },
  },
  {
    name: "next",
    path: "/_next/hmr",
    broken: {
      type: "turbopack-message",
      data: [
        {
          type: "issues",
          issues: [
            { severity: "warning", title: "unused" },
            {
              severity: "error",
              filePath: "[project]/app/page.tsx",
              title: { type: "text", value: "Parsing ecmascript source code failed" },
              description: { type: "text", value: "Expected ';'" },
              source: { range: { start: { line: 4, column: 8 } } },
            },
          ],
        },
      ],
    },
    says: ["Parsing ecmascript source code failed\nExpected ';'", "[project]/app/page.tsx", 4, 8],
    fine: { type: "built", hash: "d", errors: [], warnings: [] },
  },
  {
    name: "parcel",
    path: "/",
    first: [{ type: "update", assets: [] }],
    broken: {
      type: "error",
      diagnostics: {
        ansi: [
          { message: "Expected '</', got 'end'", codeframe: "3 | <p>", stack: "/app/Cart.jsx:3:4" },
        ],
        html: [],
      },
    },
    says: ["Expected '</', got 'end'", undefined, undefined, undefined],
    fine: { type: "update", assets: [{}] },
  },
];

for (const { name, path, protocol, first, broken, says, fine, fine_by = name } of toolchains) {
  test(`${name} at ${path} says that the code does not compile, and that it does again`, async () => {
    const server = await connect(path, protocol, first);
    // All of them, however long the page lives.
    for (let i = 0; i < 30; i++) server.send({ type: "ping" });
    server.send(broken);
    const fault = await told(({ build }) => build == "failed");
    assert.deepEqual([fault.message, fault.filename, fault.lineno, fault.colno], says);
    assert.deepEqual(
      [fault.type, fault.level, fault.reported_by, fault.build_errors],
      ["exception", "error", name, 1],
    );
    if (name == "vite") assert.match(fault.code_frame, /7 \|   <p>/);
    server.send(broken);
    server.send(fine);
    const end = await told(({ build, level }) => build == "ok" && level == "info");
    assert.deepEqual([end.reported_by, end.message], [fine_by, `${fine_by}: compiles again`]);
    assert.equal(builds().filter(({ build }) => build == "failed").length, 1);
    server.drop();
    const close = await web.socket(({ event }) => event == "close");
    assert.equal(close.dev_server, fine_by);
    assert.ok(!web.engine.entries("websocket-events").some(({ event }) => event == "message"));
  });
}

test("an update that does not compile ends nothing", async () => {
  const server = await connect("/", "vite-hmr", [{ type: "connected" }]);
  const { broken } = toolchains[0];
  server.send(broken);
  await told(({ build }) => build == "failed");
  server.send({ type: "update", updates: [] });
  server.send({ ...broken, err: { ...broken.err, message: "/app/src/Cart.jsx: Unexpected end" } });
  await told(({ message }) => /Unexpected end/.test(message));
  await web.page.waitForTimeout(1800);
  assert.equal(builds().filter(({ build }) => build == "ok").length, 0);
  server.send({ type: "update", updates: [] });
  await told(({ build, level }) => build == "ok" && level == "info");
});

test("a page that loads without errors says so quietly", async () => {
  await connect("/", "vite-hmr", [{ type: "connected" }]);
  const { level, message } = await told(({ build }) => build == "ok");
  assert.deepEqual([level, message], ["debug", "vite: compiles"]);
});

test("what the client writes to the console repeats its socket", async () => {
  const server = await connect("/", "vite-hmr");
  server.send(toolchains[0].broken);
  await told(({ build }) => build == "failed");
  await web.page.evaluate(() => {
    console.error("[vite] Failed to reload /src/Cart.jsx. This could be due to syntax errors");
    console.error("[vite] Internal Server Error\nUnexpected token (7:12)");
    console.error("of the app");
  });
  await web.settle();
  const marks = web.engine
    .entries("logs")
    .filter(({ level, build }) => level == "error" && !build)
    .map(({ reported_by, echo }) => [reported_by, echo]);
  assert.deepEqual(marks, [
    ["vite", true],
    ["vite", true],
    [undefined, undefined],
  ]);
});

test("an app's own socket is none of a development server", async () => {
  let send;
  web.app.set_socket("/ws", (socket) => (send = socket.send));
  await web.open();
  await web.page.evaluate(() => {
    globalThis.client = new WebSocket(location.origin.replace("http", "ws") + "/ws");
    return new Promise((resolve) => (client.onopen = resolve));
  });
  for (const message of [
    '{"type":"connected"}',
    '{"type":"error","err":{"message":"of the app"}}',
    '{"type":"errors","data":["of the app"]}',
    '{"type":"update","items":[]}',
  ])
    send(message);
  await web.socket(({ data }) => /update/.test(data));
  assert.deepEqual(builds(), []);
  assert.ok(!web.engine.entries("websocket-events").some(({ dev_server }) => dev_server));
});

test("while the development server is away, requests to it are no fault", async () => {
  const server = await connect("/", "vite-hmr");
  server.drop();
  await web.socket(({ event }) => event == "close");
  await web.page.route("**/api/items", (route) => route.abort("connectionrefused"));
  await web.page.evaluate(() => fetch("/api/items").catch(() => {}));
  const { cause } = await web.request(({ url }) => url.endsWith("/api/items"));
  assert.equal(cause, "dev_server");
});

test("a paint of a hot update is none of the load", async () => {
  const server = await connect("/", "vite-hmr");
  server.send({ type: "update", updates: [] });
  await web.page.waitForTimeout(200);
  const updated = await web.page.evaluate(() => {
    const before = performance.now();
    document.querySelector("h1").outerHTML =
      `<h1 style="font-size:200px">A much larger heading</h1>`;
    return before;
  });
  // The browser tells a paint some time after its frame.
  await web.page.evaluate(
    (before) =>
      new Promise((resolve) =>
        new PerformanceObserver((list) => {
          if (list.getEntries().some(({ startTime }) => startTime > before)) resolve();
        }).observe({ type: "largest-contentful-paint", buffered: true }),
      ),
    updated,
  );
  web.app.set_page("/next", "next");
  await web.page.goto(`${web.app.origin}/next`);
  await web.engine.entry("performance-snapshots", ({ hot_updates }) => hot_updates == 1);
  const snapshots = web.engine.entries("performance-snapshots");
  assert.ok(snapshots.every(({ dev_server }) => dev_server == "vite"));
  const paints = snapshots.map(({ timing }) => timing.largest_contentful_paint).filter(Boolean);
  assert.ok(paints.every((time) => time < updated));
});

test("a client that tries again is known by its first try", async () => {
  const server = await connect("/ws", undefined, [{ type: "hot" }, { type: "hash", data: "a" }]);
  server.drop();
  await web.socket(({ event }) => event == "close");
  web.app.reset();
  await web.page.evaluate(() => new WebSocket(client.url));
  const refused = await web.socket(({ attempt }) => attempt);
  assert.equal(refused.dev_server, "webpack");
});

test("what a broken module throws or fails to load is a part of the broken build", async () => {
  const server = await connect("/ws", undefined, [{ type: "hot" }]);
  await web.page.evaluate(() => {
    setTimeout(() => {
      throw new Error("Module parse failed: Unexpected token (2:105)");
    });
    setTimeout(() => {
      throw new Error("of the app");
    });
    document.head.append(Object.assign(document.createElement("script"), { src: "/main.js" }));
  });
  server.send(toolchains.find(({ name }) => name == "webpack").broken);
  const thrown = await web.log(({ message }) => /^Uncaught Error: Module parse/.test(message));
  assert.equal(thrown.echo, true);
  assert.equal((await web.log(({ message }) => /of the app/.test(message))).echo, undefined);
  assert.equal((await web.request(({ url }) => url.endsWith("/main.js"))).echo, true);
});

test("the overlay's frame is no page of its own", async () => {
  await web.open("<h1>Shop</h1><iframe></iframe>");
  await web.page.waitForFunction(() => frames[0]["gasoline.js"]);
  await web.engine.entry("performance-snapshots", () => true);
  await web.settle();
  assert.ok(!web.engine.entries("performance-snapshots").some(({ frame }) => frame));
});

test("a socket that an app opens from a bundle of Next is the app's own", async () => {
  web.app.set_socket("/live", () => {});
  await web.open("<h1>Shop</h1>");
  await web.page.addScriptTag({
    content: `new WebSocket(location.origin.replace("http", "ws") + "/live");
//# sourceURL=${web.app.origin}/_next/static/chunks/app.js`,
  });
  const opened = await web.socket(({ event }) => event == "open");
  assert.equal(opened.dev_server, undefined);
});

test("a failure begins with its reason; what the repair prints of it once more is an echo", async () => {
  const server = await connect("/rsbuild-hmr");
  const reason = "  × Module build failed (from builtin:swc-loader):\n  ╰─▶   × Syntax Error: Expected '...'";
  server.send({ type: "errors", data: { text: [`File: ./src/Cart.jsx:1:1\n${reason}`], html: "" } });
  const failed = await told(({ build }) => build == "failed");
  assert.match(failed.message, /^Module build failed \(from builtin:swc-loader\): Syntax Error: Exp/);
  assert.equal(failed.filename, "./src/Cart.jsx");
  server.send({ type: "ok" });
  await told(({ build }) => build == "ok");
  await web.page.evaluate(() => console.error(new Error("Module build failed (from a loader)")));
  const printed = await web.log(({ message }) => /from a loader/.test(message));
  assert.equal(printed.echo, true);
});
