// Why a request or a socket failed, where that is no fault, and answers that look well and are not.
import assert from "node:assert/strict";
import { test } from "node:test";
import { watched_page } from "./support/watched_page.mjs";

const web = watched_page();

const cause_of = async (end) => (await web.request(({ url }) => url.endsWith(end))).cause;

test("requests that the page calls off say so, also in what comes of them", async () => {
  await web.open();
  await web.page.evaluate(() => {
    const ending = new AbortController();
    fetch("/never?uncaught", { signal: ending.signal });
    fetch("/never?logged", { signal: ending.signal }).catch((error) => console.error("off", error));
    const xhr = new XMLHttpRequest();
    xhr.open("GET", "/never?xhr");
    xhr.send();
    setTimeout(() => {
      ending.abort();
      xhr.abort();
    }, 50);
    // As axios does.
    Promise.reject(
      Object.assign(new Error("canceled"), { name: "CanceledError", code: "ERR_CANCELED" }),
    );
  });
  for (const end of ["?uncaught", "?logged", "?xhr"]) assert.equal(await cause_of(end), "aborted");
  for (const text of [/^Unhandled rejection: AbortError/, /^off AbortError/, /CanceledError/]) {
    const entry = await web.log(({ message }) => text.test(message));
    assert.equal(entry.cause, "aborted", entry.message);
  }
});

test("what fails while the page is being left is marked", async () => {
  await web.open();
  await web.settle();
  await web.page.evaluate(() => {
    addEventListener("beforeunload", () => {
      fetch("http://localhost:9/poll").catch((error) => console.error("lost", error));
      new WebSocket("ws://localhost:9/");
    });
    // A server that thinks for long, so that the page is still there.
    setTimeout(() => (location.href = "/never"));
  });
  assert.equal(await cause_of("/poll"), "navigation");
  const { cause } = await web.log(({ message }) => message.startsWith("lost"));
  assert.equal(cause, "navigation");
  const close = await web.socket(({ event }) => event == "close");
  assert.equal(close.cause, "navigation");
});

test("a page that was not left after all is as before", async () => {
  await web.open();
  await web.page.evaluate(() => fetch("http://localhost:9/fault").catch(() => {}));
  assert.equal(await cause_of("/fault"), undefined);
});

test("what filter lists block on other hosts is marked, faults are not", async () => {
  await web.open();
  for (const url of ["**/g/collect*", "**/gtag/**", "**/api/event", "**/orders"])
    await web.page.route(url, (route) => route.abort("blockedbyclient"));
  await web.page.evaluate(async () => {
    const script = document.createElement("script");
    script.src = "https://www.googletagmanager.test/gtag/js?id=1";
    document.head.append(script);
    await fetch("https://www.google-analytics.test/g/collect", { method: "POST" }).catch(() => {});
    await fetch("https://plausible.test/api/event", { method: "POST" }).catch(() => {});
    await fetch("https://shop.test/orders").catch(() => {});
    await fetch("/api/event").catch(() => {});
  });
  assert.equal(await cause_of("/g/collect"), "blocked");
  assert.equal(await cause_of("plausible.test/api/event"), "blocked");
  assert.equal(await cause_of("/gtag/js?id=1"), "blocked");
  assert.equal(await cause_of("/orders"), undefined);
  assert.equal(await cause_of(`${web.app.origin}/api/event`), undefined);
});

test("a page without a network says so", async () => {
  await web.open();
  await web.page.evaluate(() => {
    Object.defineProperty(navigator, "onLine", { get: () => false });
    return fetch("https://shop.test/stock").catch(() => {});
  });
  assert.equal(await cause_of("/stock"), "offline");
});

test("errors inside a GraphQL answer are told", async () => {
  await web.open();
  const json = { "Content-Type": "application/json" };
  const errors = [{ message: "no such user", extensions: { code: "NOT_FOUND" } }, { message: "b" }];
  web.app.set_page("/api/graphql", JSON.stringify({ data: null, errors }), json);
  web.app.set_page("/fine/graphql", JSON.stringify({ data: { a: 1 }, errors: [] }), json);
  web.app.set_page("/batch/gql", JSON.stringify([{ data: {} }, { errors }]), json);
  web.app.set_page("/late/graphql", JSON.stringify({ data: "x".repeat(1e5), errors }), json);
  web.app.set_page("/other", JSON.stringify({ errors }), json);
  web.app.set_page("/broken/graphql", "{", json);
  const answer = await web.page.evaluate(async () => {
    const post = (url) => fetch(url, { method: "POST", body: '{"query":"{ secret_query }"}' });
    for (const url of ["/fine/graphql", "/batch/gql", "/late/graphql", "/other", "/broken/graphql"])
      await post(url);
    const xhr = new XMLHttpRequest();
    xhr.open("post", "/api/graphql?xhr");
    xhr.responseType = "json";
    await new Promise((resolve) => {
      xhr.onload = resolve;
      xhr.send();
    });
    return (await post("/api/graphql")).json();
  });
  assert.deepEqual(answer.errors, errors);
  const told = await web.request(({ url }) => url.endsWith("/api/graphql"));
  assert.deepEqual(
    [told.status, told.method, told.error, told.graphql_errors, told.graphql_code],
    [200, "POST", "GraphQL: no such user", 2, "NOT_FOUND"],
  );
  assert.deepEqual(JSON.parse(told.response_body), { errors });
  for (const end of ["?xhr", "/batch/gql", "/late/graphql"])
    assert.equal(
      (await web.request(({ url }) => url.endsWith(end))).error,
      "GraphQL: no such user",
    );
  await web.settle();
  const paths = web.engine.entries("network-bodies").map(({ url }) => new URL(url).pathname);
  assert.equal(paths.filter((path) => /fine|other|broken/.test(path)).length, 0);
  assert.ok(!web.engine.posts.some(({ body }) => body.includes("secret_query")));
});

test("an image that gets a page instead is told", async () => {
  web.app.set_page("/lamp.png", "<!doctype html><h1>Shop</h1>");
  web.app.set_page("/chunk.js", "<!doctype html><h1>Shop</h1>");
  web.app.set_page("/bad.png", "not an image", { "Content-Type": "image/png" });
  await web.open(
    `<img src="/lamp.png"><img src="/bad.png"><script type="module" src="/chunk.js"></script>`,
  );
  const lamp = await web.request(({ url }) => url.endsWith("/lamp.png"));
  assert.deepEqual([lamp.status, lamp.initiator], [200, "img"]);
  assert.match(lamp.error, /^<img> failed to load: answered with text\/html/);
  assert.match(lamp.answered_with, /^text\/html/);
  const chunk = await web.request(({ url }) => url.endsWith("/chunk.js"));
  assert.match(chunk.error, /^<script> failed to load: answered with text\/html/);
  const bad = await web.request(({ url }) => url.endsWith("/bad.png"));
  assert.deepEqual(
    [bad.status, bad.error, bad.answered_with],
    [200, "<img> failed to load", undefined],
  );
});

test("a socket that the page closes while it connects is marked", async () => {
  web.app.set_socket("/live", () => {});
  await web.open();
  await web.page.evaluate(() => {
    const url = location.origin.replace("http", "ws") + "/live";
    new WebSocket(url).close();
  });
  const error = await web.socket(({ event }) => event == "error");
  const close = await web.socket(({ event }) => event == "close");
  assert.deepEqual([error.cause, close.cause], ["page", "page"]);
});

test("tries of a socket are counted", async () => {
  await web.open();
  const connect = () =>
    web.page.evaluate(() => {
      const socket = new WebSocket(location.origin.replace("http", "ws") + "/live");
      return new Promise(
        (resolve) => (socket.onopen = socket.onclose = ({ type }) => resolve(type)),
      );
    });
  assert.equal(await connect(), "close");
  assert.equal(await connect(), "close");
  web.app.set_socket("/live", ({ drop }) => setTimeout(drop, 100));
  assert.equal(await connect(), "open");
  await web.socket(({ event, opened }) => event == "close" && opened == undefined);
  const told = web.engine
    .entries("websocket-events")
    .map(({ event, attempt, after_attempts, opened }) => [event, attempt, after_attempts, opened]);
  assert.deepEqual(told, [
    ["error", 1, undefined, false],
    ["close", 1, undefined, false],
    ["error", 2, undefined, false],
    ["close", 2, undefined, false],
    ["open", undefined, 2, undefined],
    ["close", undefined, undefined, undefined],
  ]);
});
