// The browser that the user runs: found, followed, acted in and left alone. GASOLINE_BIN names the
// program.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { start_http_server } from "./support/http_server.mjs";
import { start_page_server } from "./support/page_server.mjs";
import { start_real_engine } from "./support/real_engine.mjs";
import { wait_until } from "./support/wait_until.mjs";

const program = process.env.GASOLINE_BIN;

const start_browser = async (profile, ...more) => {
  const port_file = join(profile, "DevToolsActivePort");
  rmSync(port_file, { force: true });
  const child = spawn(
    process.env.CHROMIUM ?? "/usr/bin/chromium",
    ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--remote-debugging-port=0", `--user-data-dir=${profile}`, ...more],
    { stdio: "ignore", detached: true },
  );
  await wait_until(() => existsSync(port_file) && readFileSync(port_file, "utf8").includes("\n"), () => "no port file");
  const [port] = readFileSync(port_file, "utf8").split("\n");
  return { child, origin: `http://127.0.0.1:${port}`, port_file };
};

const end_browser = async ({ child }) => {
  const exit = new Promise((resolve) => child.on("exit", resolve));
  process.kill(-child.pid, "SIGKILL");
  await exit;
};

describe("the browser that the user runs", { skip: program ? false : "GASOLINE_BIN is not set" }, () => {
  let folder;
  let profile;
  let app;
  let browser;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "gasoline-attach-"));
    profile = join(folder, "chromium");
    mkdirSync(profile);
    app = await start_page_server();
    // Named once all that happens before somebody attaches has happened.
    app.set_page("/", `<h1>Mine</h1><script>
      console.error("said before");
      fetch("/fail?early").then((answer) => answer.text()).then(() =>
        setTimeout(() => (document.title = "Mine alone")));</script>`);
    app.set_page("/next", `<title>Next</title><script>console.error("said after")</script>`);
  });

  after(async () => {
    await app.stop();
    if (browser) await end_browser(browser);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  // An engine that looks for profiles in that folder.
  const attach = async (...more) => {
    const before = process.env.XDG_CONFIG_HOME;
    process.env.XDG_CONFIG_HOME = folder;
    try {
      return await start_real_engine(program, "--browser", "attach", ...more);
    } finally {
      if (before === undefined) delete process.env.XDG_CONFIG_HOME;
      else process.env.XDG_CONFIG_HOME = before;
    }
  };

  // A client may make 100 calls a minute.
  const between_calls = () => new Promise((resolve) => setTimeout(resolve, 200));

  const logs_with = (engine, word) =>
    wait_until(
      async () => {
        await between_calls();
        const { text } = await engine.call_tool("observe", { what: "logs", detail: "full" });
        return text.includes(word) && text;
      },
      () => `nothing of ${word}`,
    );

  test("it is found by its profile; what a page said before is told and marked, and it is left running", async () => {
    browser = await start_browser(profile, `${app.origin}/`);
    await wait_until(
      async () => (await (await fetch(`${browser.origin}/json/list`)).json()).some(({ title }) => title == "Mine alone"),
      () => "no page",
    );
    const engine = await attach();
    const text = await logs_with(engine, "said before");
    assert.match(text, /"seen_late":true/);
    const waterfall = await wait_until(
      async () => {
        await between_calls();
        const { text } = await engine.call_tool("observe", { what: "network_waterfall", detail: "full" });
        return text.includes("/fail?early") && text;
      },
      () => "no request from before",
    );
    assert.match(waterfall, /seen_late/);
    const look = await engine.call_tool("analyze", { what: "page" });
    assert.match(look.text, /headings: Mine/);
    const moved = await engine.call_tool("interact", { action: "navigate", page: "p1", url: `${app.origin}/next` });
    assert.match(moved.text, /navigated to .*"Next"/);
    const after = await logs_with(engine, "said after");
    assert.ok(!/said after[^}]*seen_late/.test(after), after);
    assert.equal(await engine.leave(), 0);
    assert.ok((await (await fetch(`${browser.origin}/json/list`)).json()).length > 0, "it still runs");
  });

  test("requests that were under way while somebody attached are told, once", async () => {
    let answer;
    const slow = await start_http_server((request, response) => {
      if (request.url != "/under-way") return response.writeHead(200, { "Content-Type": "text/html" }).end(
        `<title>Waits</title><script>fetch("/under-way").then(() => (document.title = "Came"))</script>`);
      answer = () => response.writeHead(404).end("late");
    });
    slow.server.unref();
    await fetch(`${browser.origin}/json/new?${slow.origin}/`, { method: "PUT" });
    await wait_until(() => answer, () => "the page asks for nothing");
    const engine = await attach();
    const waterfall = async () =>
      (await engine.call_tool("observe", { what: "network_waterfall", detail: "full", limit: 1000 })).text.split("\n--- ALERTS")[0];
    const of = (text) => text.split("/under-way").length - 1;
    await wait_until(
      async () => {
        await between_calls();
        return (await waterfall()).includes(slow.origin);
      },
      () => "its page is not followed",
    );
    answer();
    const text = await wait_until(
      async () => {
        await between_calls();
        const told = await waterfall();
        return of(told) > 0 && told;
      },
      () => "its end is not told",
    );
    assert.match(text, /"status":404/);
    await fetch(`${browser.origin}/json/new?${app.origin}/`, { method: "PUT" });
    await between_calls();
    assert.equal(of(await waterfall()), of(text));
    assert.equal(await engine.leave(), 0);
    await slow.stop();
  });

  test("one that ends and comes again is followed again", async () => {
    const engine = await attach();
    await engine.call_tool("interact", { action: "tabs" });
    await end_browser(browser);
    const lost = await wait_until(
      async () => {
        await between_calls();
        const { text, isError } = await engine.call_tool("interact", { action: "tabs" });
        return isError && text;
      },
      () => "its end is not noticed",
    );
    assert.match(lost, /No browser of yours|has ended/);
    assert.match(lost, /remote-debugging-port|has ended/);
    browser = await start_browser(profile, `${app.origin}/`);
    await logs_with(engine, "said before");
    assert.equal(await engine.leave(), 0);
  });

  test("the settings name its address; addresses elsewhere are refused", async () => {
    const settings = join(folder, "config.json");
    writeFileSync(settings, JSON.stringify({ browser: { start: "attach", address: browser.origin } }));
    const engine = await start_real_engine(program, "--config", settings);
    await logs_with(engine, "said before");
    assert.equal(await engine.leave(), 0);
  });

  test("one that asks its user first is asked once, however often somebody wants it", async () => {
    let questions = 0;
    const sockets = [];
    const server = createServer((_, response) => response.writeHead(404).end());
    server.on("upgrade", (_, socket) => {
      questions++;
      socket.on("error", () => {});
      sockets.push(socket); // its user has not answered yet
    });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    const other = mkdtempSync(join(tmpdir(), "gasoline-consent-"));
    mkdirSync(join(other, "google-chrome"));
    writeFileSync(join(other, "google-chrome", "DevToolsActivePort"), `${server.address().port}\n/devtools/browser/abc`);
    const before = folder;
    folder = other;
    const settings = join(other, "config.json");
    writeFileSync(settings, JSON.stringify({ limits: { browser_start_ms: 1000 } }));
    const engine = await attach("--config", settings);
    folder = before;
    const answers = await Promise.all([1, 2, 3].map(() => engine.call_tool("interact", { action: "tabs" })));
    for (const { text, isError } of answers) {
      assert.ok(isError, text);
      assert.match(text, /asks there whether it may be driven, allow it/);
    }
    assert.equal(questions, 1);
    for (const socket of sockets) socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
    await engine.leave();
    server.close();
    rmSync(other, { recursive: true });
  });
});
