// How what a page reports gets to the engine: when it is left, hidden, forbidden to send or refused, and
// when there is no engine.
import assert from "node:assert/strict";
import { test } from "node:test";
import { wait_until } from "./support/wait_until.mjs";
import { watched_page } from "./support/watched_page.mjs";

const web = watched_page();

test("what was just reported survives leaving the page", async () => {
  await web.open_with();
  web.app.set_page("/next", "next");
  await web.page.evaluate(() => {
    console.error("last words");
    location.href = "/next";
  });
  await web.log(({ message }) => message == "last words");
});

test("an absent engine leaves the page alone and gets all when it is back", async () => {
  await web.open_with();
  await web.settle();
  await web.engine.stop();
  const faults = [];
  web.page.on("pageerror", (error) => faults.push(error));
  const noise = [];
  web.page.on("console", (message) => noise.push(message.text()));
  await web.page.evaluate(() => {
    for (let i = 0; i < 10; i++) console.info(`offline ${i}`);
  });
  await wait_until(
    () => noise.filter((text) => /ERR_CONNECTION_REFUSED/.test(text)).length == 3,
    () => noise.join("\n"),
  );
  await web.page.waitForTimeout(3000);
  assert.equal(noise.length, 13);
  assert.deepEqual(faults, []);
  assert.equal(await web.page.evaluate(() => fetch("/fine").then(({ status }) => status)), 200);
});

test("an engine that fails is never reported to itself", async () => {
  await web.open_with();
  web.engine.answer_next([500, {}], [429, { "Retry-After": "1" }]);
  await web.page.evaluate(() => console.error("kept"));
  await web.log(({ message }) => message == "kept");
  const statuses = web.engine.posts.map(({ status }) => status);
  assert.deepEqual(
    statuses.filter((status) => status != 200),
    [500, 429],
  );
  assert.deepEqual(web.engine.entries("network-bodies"), []);
  await web.page.evaluate((url) => fetch(url), `${web.engine.origin}/nothing`);
  await web.settle();
  assert.deepEqual(web.engine.entries("network-bodies"), []);
});

test("no request of the script needs a preflight or carries cookies", async () => {
  await web.open_with(`<script>document.cookie = "session=abc"; console.error("x")</script>`);
  await web.settle();
  for (const { headers } of web.engine.posts) {
    assert.equal(headers["content-type"], "text/plain;charset=UTF-8");
    assert.equal(headers.cookie, undefined);
  }
});

// Blocks the way to the engine, and gives the lines of the page's console.
const open_forbidding_page = async (body) => {
  const lines = [];
  web.page.on("console", (message) => lines.push(message.text()));
  await web.open_with(body, {
    "Content-Security-Policy": `connect-src 'self'; script-src 'unsafe-inline' ${web.engine.origin}`,
  });
  return lines;
};

test("a page whose policy forbids to send hears of it once, and no more is tried", async () => {
  const lines = await open_forbidding_page(`<img src="/missing.png"><script>
    console.info("hello");
    fetch("/fail");
    new WebSocket(location.origin.replace("http", "ws") + "/socket");
  </script>`);
  const told = () => lines.filter((text) => text.startsWith("gasoline: "));
  await wait_until(
    () => told().length,
    () => lines.join("\n"),
  );
  assert.match(told()[0], new RegExp(`connect-src ${web.engine.origin}$`));
  const own = () => lines.filter((text) => text.includes(web.engine.origin)).length;
  await web.page.waitForTimeout(300);
  const before = own();
  assert.ok(before <= 3, lines.join("\n"));
  for (let i = 0; i < 3; i++) {
    await web.page.evaluate(() => console.info("again"));
    await web.page.waitForTimeout(500);
  }
  assert.equal(own(), before);
  assert.equal(told().length, 1);
  assert.equal(lines.filter((text) => text == "again").length, 3);
  assert.deepEqual(web.engine.posts, []);
});

test("a policy that only reports stops nothing", async () => {
  await web.open_with(`<script>console.error("let through")</script>`, {
    "Content-Security-Policy-Report-Only": "connect-src 'self'",
  });
  await web.log(({ message }) => message == "let through");
});

test("an engine that refuses the page is told of once, and asked rarely", async () => {
  const lines = [];
  web.page.on("console", (message) => lines.push(message.text()));
  for (let i = 0; i < 50; i++) web.engine.answer_next([403, {}]);
  await web.open_with(`<script>console.error("refused")</script>`);
  const told = () => lines.filter((text) => text.startsWith("gasoline: "));
  await wait_until(
    () => told().length,
    () => lines.join("\n"),
  );
  await web.page.evaluate(() => console.error("refused too"));
  await web.page.waitForTimeout(1500);
  assert.equal(told().length, 1);
  assert.match(told()[0], /refuses this page \(403\).*allowed_origins/);
  assert.equal(web.engine.posts.length, 1);
});

// A page that says that it is hidden, and stays so.
const hide_page = () =>
  web.page.evaluate(() => {
    Object.defineProperty(document, "hidden", { get: () => true });
    document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
  });

test("a hidden page goes on telling, however long its entries are", async () => {
  await web.open_with();
  await web.settle();
  await hide_page();
  await web.page.evaluate(() => {
    for (let i = 0; i < 9; i++) console.error(`${i} ${"€".repeat(9000)}`);
    console.error("after");
  });
  const start = Date.now();
  await web.log(({ message }) => message == "after", 2000);
  assert.ok(Date.now() - start < 2000);
  await wait_until(
    () => web.engine.entries("logs").filter(({ message }) => /^\d €/.test(message)).length == 9,
    () => web.engine.entries("logs").length,
  );
});

test("long last words leave as far as a browser lets them, and stop nothing", async () => {
  await web.open_with();
  await web.settle();
  web.app.set_page("/next", "next");
  await web.page.evaluate(() => {
    for (let i = 0; i < 9; i++) console.error(`${i} ${"€".repeat(9000)}`);
    location.href = "/next";
  });
  await web.log(({ message }) => message.startsWith("0 €"));
});

test("a long queue is sent compressed", async () => {
  await web.open_with();
  await web.page.evaluate(() => {
    for (let i = 0; i < 400; i++) console.error(`${i} ${"text ".repeat(200)}`);
  });
  const count = () => web.engine.entries("logs").filter(({ message }) => /text/.test(message)).length;
  await wait_until(() => count() == 400, count);
  const packed = web.engine.posts.filter(({ headers }) => headers["content-encoding"] == "gzip");
  assert.ok(packed.length > 0);
});

test("a burst of entries arrives whole", async () => {
  await web.open_with();
  await web.page.evaluate(() => {
    for (let i = 0; i < 2000; i++) console.log("burst", i);
  });
  const count = () => web.engine.entries("logs").length;
  await wait_until(() => count() == 2000, count);
});
