// What is told of errors: by what they hold, whoever caught them, and what belongs together.
import assert from "node:assert/strict";
import { test } from "node:test";
import { watched_page } from "./support/watched_page.mjs";

const web = watched_page();

const rejections = [
  [
    `new Promise((resolve, reject) => {
       const image = new Image();
       image.onerror = reject;
       image.src = "/missing.png";
     })`,
    /^Unhandled rejection: error event on <img> http:\S+\/missing\.png$/,
  ],
  ["fetch('/f503').then((answer) => { throw answer; })", /: Response 503 GET http:\S+\/f503$/],
  [
    "Promise.reject(new CloseEvent('close', { code: 1011, reason: 'upstream gone' }))",
    /: close event: code 1011, upstream gone$/,
  ],
  [
    "Promise.reject(new ErrorEvent('error', { message: 'worker boom', filename: 'w.js', lineno: 3 }))",
    /: error event: worker boom \(w\.js:3\)$/,
  ],
  [
    "Promise.any([Promise.reject(new Error('no stock of lamp in Oslo')), Promise.reject({ code: 7 })])",
    /: AggregateError: All promises were rejected: Error: no stock of lamp in Oslo; \{"code":7\}$/,
  ],
  [
    "Promise.reject(new DOMException('not now', 'InvalidStateError'))",
    /: InvalidStateError: not now$/,
  ],
  [
    "Promise.reject(new Proxy(new Error('behind'), { get: () => { throw 1; } }))",
    /^Unhandled rejection: /,
  ],
  ["Promise.reject({ get stack() { throw new Error('no'); }, code: 5 })", /: \{.*"code":5.*\}$/],
];

for (const [make, message] of rejections) {
  test(`a rejection tells what it holds: ${make.slice(0, 60)}`, async () => {
    await web.open();
    await web.page.evaluate((code) => void setTimeout(() => void eval(code)), make);
    const entry = await web.log(({ type }) => type == "exception");
    assert.match(entry.message, message);
    assert.equal(entry.level, "error");
    assert.ok(entry.page_id);
  });
}

test("what the platform keeps in accessors is read", async () => {
  await web.open(`<button id="save" class="primary big">Save</button>`);
  const shown = await web.page.evaluate(() => {
    const form = new FormData();
    form.append("name", "typed");
    form.append("token", "t");
    form.append("file", new File(["abc"], "a.txt", { type: "text/plain" }));
    const event = new MouseEvent("click");
    let clicked;
    document.querySelector("button").addEventListener("click", (e) => (clicked = e));
    document.querySelector("button").dispatchEvent(event);
    const loop = new CustomEvent("loop", { detail: {} });
    loop.detail.back = loop;
    const rows = [
      new ProgressEvent("error"),
      new CustomEvent("app-error", { detail: { code: 7 } }),
      new CloseEvent("close", { code: 1011, reason: "upstream gone" }),
      new PromiseRejectionEvent("unhandledrejection", {
        promise: Promise.resolve(),
        reason: new Error("r"),
      }),
      new MessageEvent("message", { data: { a: 1 } }),
      new URLSearchParams("a=1&session=s3cr3t"),
      new Headers({ x: "1", authorization: "s3cr3t" }),
      form,
      new Uint8Array(5000),
      new Blob(["abc"], { type: "text/plain" }),
      new Request("/r", { method: "PUT" }),
      AbortSignal.abort(),
      loop,
      window,
      document.querySelectorAll("button"),
      document,
      document.createTextNode("x"),
      document.createComment("c"),
      document.createDocumentFragment(),
      document.implementation.createDocumentType("html", "", ""),
      document.createAttribute("lang"),
      document.querySelector("button"),
      clicked,
    ];
    for (const row of rows) console.info("row", row, { inside: row });
    return rows.length;
  });
  await web.settle();
  const rows = web.engine.entries("logs").filter(({ message }) => message.startsWith("row"));
  assert.equal(rows.length, shown);
  const at = (path) => web.app.origin + path;
  const expected = [
    "error event",
    'app-error event: {"code":7}',
    "close event: code 1011, upstream gone",
    "unhandledrejection event: Error: r",
    'message event: {"a":1}',
    [
      ["a", "1"],
      ["session", "[REDACTED]"],
    ],
    [
      ["authorization", "[REDACTED]"],
      ["x", "1"],
    ],
    [
      ["name", "[5 characters]"],
      ["token", "[REDACTED]"],
      ["file", "[File 3 bytes text/plain]"],
    ],
    "[Uint8Array(5000)]",
    "[Blob 3 bytes text/plain]",
    `Request PUT ${at("/r")}`,
    "[AbortSignal]",
    undefined,
    "[Window]",
    ["<button#save.primary.big>"],
    "#document",
    '#text "x"',
    '#comment "c"',
    "#document-fragment",
    "<!doctype html>",
    'lang=""',
    "<button#save.primary.big>",
    "click event on <button#save.primary.big>",
  ];
  for (const [i, { args }] of rows.entries()) {
    if (expected[i] === undefined) continue;
    assert.deepEqual(args[1], expected[i]);
    assert.deepEqual(args[2], { inside: expected[i] });
  }
  assert.doesNotMatch(JSON.stringify(web.engine.entries("logs")), /s3cr3t|typed/);
});

test("an error that is only logged is told like one that nobody caught", async () => {
  await web.open();
  await web.page.evaluate(() => {
    function load_profile() {
      console.error("profile failed", new TypeError("x is not a function"));
    }
    load_profile();
    console.error("plain text");
    console.warn("harmless", new Error("warned"));
  });
  await web.settle();
  const of = (text) => web.engine.entries("logs").find(({ message }) => message.startsWith(text));
  const profile = of("profile failed");
  assert.deepEqual(
    [profile.type, profile.level, profile.reported_by, profile.message],
    ["exception", "error", "console", "profile failed TypeError: x is not a function"],
  );
  assert.match(profile.stack, /load_profile/);
  assert.deepEqual([of("plain text").type, of("harmless").type], ["console", "console"]);
  assert.equal(of("plain text").reported_by, undefined);
});

test("frameworks are known by their words", async () => {
  await web.open();
  await web.page.evaluate(() => {
    const thrown = new TypeError("Cannot read properties of undefined (reading 'map')");
    console.error(
      "%o\n\n%s\n\n%s\n",
      thrown,
      "The above error occurred in the <Cart> component.",
      "React will try to recreate this component tree using the error boundary you provided, Shop.",
    );
    console.error(
      "The above error occurred in the <Total> component:\n\n    at Total (http://a.test/Total.jsx:3:1)\n" +
        "    at div\n    at App\n\nConsider adding an error boundary to your tree.",
    );
    console.warn(
      "[Vue warn]: Unhandled error during execution of render function \n",
      " at <Basket",
      "items=[]",
      ">",
      "\n",
      " at <Shop>",
    );
    console.error(new TypeError("vue failed"));
    console.error("ERROR", new Error("angular failed"));
    const answer = {
      name: "HttpErrorResponse",
      message: "Http failure response for /api: 500 Server Error",
      status: 500,
      url: "/api",
    };
    console.error("ERROR", answer);
  });
  await web.settle();
  const told = web.engine
    .entries("logs")
    .filter(({ level, type }) => level == "error" || (level == "warn" && type == "console"))
    .map(({ type, reported_by, component, echo }) => [type, reported_by, component, echo]);
  assert.deepEqual(told, [
    ["exception", "react", "Cart", undefined],
    ["console", "react", "Total < App", true],
    ["console", "vue", undefined, true],
    ["exception", "vue", "Basket < Shop", undefined],
    ["exception", "angular", undefined, undefined],
    ["exception", "angular", undefined, undefined],
  ]);
  const [{ message }] = web.engine
    .entries("logs")
    .filter(({ message: text }) => /HttpError/.test(text));
  assert.match(message, /Http failure response for \/api: 500/);
});

test("one error that is told several times has one id", async () => {
  await web.open();
  await web.page.evaluate(() => {
    const error = new Error("once");
    console.error("seen", error);
    console.error(new Error("wrapped", { cause: error }));
    setTimeout(() => {
      throw error;
    });
    setTimeout(() => {
      throw new Error("other");
    }, 10);
  });
  await web.log(({ message }) => message == "Uncaught Error: other");
  const told = web.engine
    .entries("logs")
    .filter(({ type }) => type == "exception")
    .map(({ error_id, echo }) => [error_id, echo]);
  assert.equal(new Set(told.slice(0, 3).map(([id]) => id)).size, 1);
  assert.notEqual(told[3][0], told[0][0]);
  assert.deepEqual(
    told.map(([, echo]) => echo),
    [undefined, true, true, undefined],
  );
});

test("an error knows the request that it came out of", async () => {
  await web.open();
  await web.page.evaluate(async () => {
    const refused = "http://localhost:9/api";
    fetch(refused);
    await fetch(`${refused}?2`).catch((error) => console.error("no profile", error));
    const answer = await fetch("/fail");
    setTimeout(() => Promise.reject(answer));
    const xhr = new XMLHttpRequest();
    xhr.open("GET", "/f503");
    await new Promise((resolve) => {
      xhr.onload = resolve;
      xhr.send();
    });
    // As axios does.
    Promise.reject(
      Object.assign(new Error("Request failed with status code 503"), { request: xhr }),
    );
  });
  await web.log(({ message }) => /status code 503/.test(message));
  await web.request(({ url }) => url.endsWith("/f503"));
  await web.settle();
  const logs = web.engine.entries("logs");
  for (const [text, path] of [
    ["Unhandled rejection: TypeError: Failed to fetch", "9/api"],
    ["no profile", "/api?2"],
    ["Unhandled rejection: Response 500", "/fail"],
    ["Unhandled rejection: Error: Request failed with status code 503", "/f503"],
  ]) {
    const { request_id, page_id } = await web.request(({ url }) => url.endsWith(path));
    const entry = logs.find(({ message }) => message.startsWith(text));
    assert.deepEqual([entry.request_id, entry.page_id], [request_id, page_id], text);
  }
});

test("an AggregateError that nobody catches names its members", async () => {
  await web.open();
  await web.page.evaluate(() => {
    setTimeout(() => {
      throw new AggregateError([new Error("one"), new RangeError("two")], "both");
    });
  });
  const { message } = await web.log(({ type }) => type == "exception");
  assert.equal(message, "Uncaught AggregateError: both: Error: one; RangeError: two");
});

test("frames of this origin and workers are watched", async () => {
  web.app.set_page("/inner", "<!doctype html><h1>inner</h1>");
  await web.open(`<iframe id="frame" src="/inner"></iframe><iframe srcdoc="<p>doc</p>"></iframe>`);
  const inner = () => web.page.frames().find((frame) => frame.url().endsWith("/inner"));
  await web.page.waitForFunction(
    () => document.getElementById("frame").contentWindow["gasoline.js"],
  );
  await inner().evaluate(() => {
    setTimeout(() => {
      throw new Error("inside");
    });
  });
  const inside = await web.log(({ message }) => /inside/.test(message));
  assert.deepEqual([inside.frame, inside.url], ["iframe", `${web.app.origin}/inner`]);
  await web.page.waitForFunction(() => frames[1]["gasoline.js"]);
  await web.page.evaluate(() => frames[1].console.error("in a srcdoc"));
  const { url } = await web.log(({ message }) => message == "in a srcdoc");
  assert.equal(url, `${web.app.origin}/page`);
  assert.equal(await inner().evaluate(() => document.scripts.length), 0);

  await web.page.evaluate(() => {
    const source = "setTimeout(() => { throw new RangeError('worker broke'); })";
    new Worker(URL.createObjectURL(new Blob([source])));
  });
  const worker = await web.log(({ message }) => /worker broke/.test(message));
  assert.deepEqual([worker.frame, worker.type], ["worker", "exception"]);
});

test("workers that load the script report by themselves", async () => {
  await web.open();
  const module = `import "${web.engine.origin}/gasoline.js";`;
  const classic = `importScripts("${web.engine.origin}/gasoline.js");`;
  const js = { "Content-Type": "text/javascript" };
  const work = (name) => `
    console.warn("${name} works", { a: 1 });
    fetch(self.location.origin + "/fail");`;
  web.app.set_page("/module.js", module + work("module"), js);
  web.app.set_page("/classic.js", classic + work("classic"), js);
  web.app.set_page("/shared.js", module + work("shared"), js);
  web.app.set_page(
    "/service.js",
    module + `addEventListener("install", () => console.warn("service works"));`,
    js,
  );
  await web.page.evaluate(() => {
    new Worker("/module.js", { type: "module" });
    new Worker("/classic.js");
    new SharedWorker("/shared.js", { type: "module" });
    return navigator.serviceWorker.register("/service.js", { type: "module" });
  });
  for (const name of ["module", "classic", "shared", "service"]) {
    const entry = await web.log(({ message }) => message.startsWith(`${name} works`));
    assert.equal(entry.frame, "worker");
    assert.equal(entry.url, `${web.app.origin}/${name}.js`);
  }
  const failed = () =>
    web.engine.entries("network-bodies").filter(({ frame, status }) => frame && status == 500);
  await web.request(({ frame }) => frame);
  await web.page.waitForTimeout(300);
  assert.equal(failed().length, 3);
});

test("what fails in a module that a bundler evaluates comes with the page's scripts", async () => {
  const named = (code) => `eval(${JSON.stringify(`${code}\n//# sourceURL=webpack-internal:///./src/a.js`)});`;
  web.app.set_page("/bundle.js", named('globalThis.refuse = () => { throw "refused"; };'), {
    "Content-Type": "text/javascript",
  });
  await web.open('<script src="/bundle.js"></script>');
  await web.page.evaluate(() => {
    console.log("a line");
    setTimeout(refuse);
    setTimeout(() => Promise.reject(new Error("of the page itself")));
  });
  const { filename, lineno, scripts } = await web.log(({ message }) => /refused/.test(message));
  assert.deepEqual([filename, lineno], ["webpack-internal:///./src/a.js", 1]);
  assert.ok(scripts.includes(`${web.app.origin}/bundle.js`), `${scripts}`);
  const other = await web.log(({ message }) => /of the page itself/.test(message));
  assert.equal(other.scripts, undefined);
});

test("the script can be loaded as a module", async () => {
  web.app.set_page(
    "/app.js",
    `import "${web.engine.origin}/gasoline.js"; console.warn("as a module");`,
    { "Content-Type": "text/javascript" },
  );
  web.app.set_page("/page", `<!doctype html><script type="module" src="/app.js"></script>`);
  await web.page.goto(`${web.app.origin}/page`);
  await web.log(({ message }) => message == "as a module");
  web.app.set_page(
    "/tag",
    `<!doctype html><script type="module" src="${web.engine.origin}/gasoline.js"></script>
     <script type="module">console.warn("after a module");</script>`,
  );
  await web.page.goto(`${web.app.origin}/tag`);
  await web.log(({ message }) => message == "after a module");
});
