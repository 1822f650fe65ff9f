// Several editors on one browser: each has its pages, and nobody touches another's. GASOLINE_BIN names the
// program.
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { start_acting_engine } from "./support/acting_engine.mjs";
import { start_page_server } from "./support/page_server.mjs";

const program = process.env.GASOLINE_BIN;

// A further client of an engine, over HTTP.
const start_client = async (origin, name) => {
  const headers = {
    "Content-Type": "application/json",
    Accept: "application/json, text/event-stream",
  };
  let ids = 0;
  const request = async (method, params) => {
    const response = await fetch(`${origin}/mcp`, {
      method: "POST",
      headers,
      body: JSON.stringify({ jsonrpc: "2.0", id: ++ids, method, params }),
    });
    const session = response.headers.get("mcp-session-id");
    if (session) headers["Mcp-Session-Id"] = session;
    const text = await response.text();
    const lines = text.split("\n").filter((line) => line.startsWith("data: {"));
    return JSON.parse(lines.length ? lines.at(-1).slice(6) : text).result;
  };
  await request("initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name, version: "1" },
  });
  const interact = async (action, more) => {
    const { content, isError } = await request("tools/call", {
      name: "interact",
      arguments: { action, ...more },
    });
    return { text: content.map(({ text }) => text).join("\n"), isError };
  };
  return { interact };
};

describe("several clients", { skip: program ? false : "GASOLINE_BIN is not set" }, () => {
  let app;
  let engine;

  before(async () => {
    app = await start_page_server();
    engine = await start_acting_engine(program, app);
  });

  beforeEach(() => app.reset());

  after(async () => {
    await app?.stop();
    assert.equal(await engine.leave(), 0);
  });

  const visitor = `<title>Visitor</title><button onclick="n.textContent = ++count">Count</button><p id=n>0</p>
    <p id=who></p><script>let count = 0; who.textContent = "visitor is " + (document.cookie.split("=")[1] ?? "new")</script>`;

  test("three that come before there is a browser have cookies of their own", async () => {
    app.set_page("/", visitor);
    const own = await start_acting_engine(program, app);
    const others = [await start_client(own.origin, "second"), await start_client(own.origin, "third")];
    const all = [{ interact: own.interact }, ...others];
    const opened = await Promise.all(all.map(({ interact }) => interact("navigate", { url: `${app.origin}/` })));
    for (const { text, isError } of opened) assert.ok(!isError, text);
    for (const [i, { interact }] of all.entries())
      await interact("evaluate", { expression: `document.cookie = "who=n${i}"` });
    for (const [i, { interact }] of all.entries()) {
      await interact("navigate", { url: "reload" });
      assert.match((await interact("read")).text, new RegExp(`visitor is n${i}`));
    }
    assert.equal(await own.leave(), 0);
  });

  test("three at once act in pages of their own, with cookies of their own", async () => {
    app.set_page("/", visitor);
    const others = [await start_client(engine.origin, "second"), await start_client(engine.origin, "third")];
    const all = [{ interact: engine.interact }, ...others];
    for (const [i, { interact }] of all.entries()) {
      const opened = await interact("navigate", { url: `${app.origin}/` });
      assert.ok(!opened.isError, opened.text);
      await interact("evaluate", { expression: `document.cookie = "who=n${i}"` });
    }
    const clicks = all.flatMap(({ interact }, i) =>
      Array.from({ length: i + 1 }, () => interact("click", { text: "Count" })),
    );
    for (const { text, isError } of await Promise.all(clicks)) assert.ok(!isError, text);
    for (const [i, { interact }] of all.entries()) {
      await interact("navigate", { url: "reload" });
      assert.match((await interact("read")).text, new RegExp(`visitor is n${i}`));
    }
  });

  test("nobody sees or touches a page of another, by handle either", async () => {
    const other = await start_client(engine.origin, "fourth");
    const mine = await engine.done("tabs");
    const [handle] = mine.match(/p\d+/);
    const { text } = await other.interact("tabs");
    assert.ok(!text.includes(handle), text);
    for (const [action, more] of [
      ["click", { text: "Count" }],
      ["navigate", { url: `${app.origin}/` }],
      ["tabs", { do: "close" }],
      ["tabs", { do: "choose" }],
    ]) {
      const refused = await other.interact(action, { page: handle, ...more });
      assert.ok(refused.isError, refused.text);
      assert.match(refused.text, /no (such )?page/i);
    }
  });

  test("of two that act in the same page at once, the one whose it is acts, and its actions follow each other", async () => {
    app.set_page("/", visitor);
    const other = await start_client(engine.origin, "fifth");
    const opened = await engine.done("tabs", { do: "open", url: `${app.origin}/` });
    const [page] = opened.match(/p\d+/);
    const times = 5;
    const click = (interact) => interact("click", { text: "Count", page });
    const both = Array.from({ length: times }, () => [click(engine.interact), click(other.interact)]);
    for (const [i, [mine, theirs]] of both.entries()) {
      const { text, isError } = await mine;
      assert.ok(!isError, text);
      assert.match(text, new RegExp(`^clicked button "Count"\n\\+ ${i + 1}\n`));
      const refused = await theirs;
      assert.ok(refused.isError, refused.text);
      assert.match(refused.text, new RegExp(`no page ${page} of yours: another client works in it`));
    }
    assert.match(await engine.done("read", { page }), new RegExp(`^${times}$`, "m"));
  });

  test("one client has pages that share nothing, where it asks for that", async () => {
    app.set_page("/", visitor);
    await engine.done("navigate", { url: `${app.origin}/` });
    await engine.done("evaluate", { expression: 'document.cookie = "who=me"' });
    const alone = await engine.done("tabs", { do: "open", url: `${app.origin}/`, alone: true });
    assert.match(alone, /navigated to/);
    assert.match(await engine.done("read"), /visitor is new/);
    await engine.done("tabs", { do: "close" });
    const shared = await engine.done("tabs", { do: "open", url: `${app.origin}/` });
    assert.match(shared, /\bp\d+\b/);
    assert.match(await engine.done("read"), /visitor is me/);
  });
});
