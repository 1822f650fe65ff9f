// The plugin in a project of Vite: what a page, a build and a dead engine see of it.
import assert from "node:assert/strict";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { start_chromium } from "../browser/support/chromium.mjs";
import { wait_until } from "../browser/support/wait_until.mjs";
import { environment, free_port, make_project, start_node, start_server } from "./support/project.mjs";
import { start_telling_engine } from "./support/told.mjs";

const here = import.meta.dirname;
const vite = join(here, "node_modules/vite/bin/vite.js");
const with_plugin =
  'import gasoline from "gasoline-telemetry/vite";\nexport default { plugins: [gasoline()] };\n';
const main = 'import { total } from "./total.js";\ndocument.title = `Total ${total([1, 2])}`;\n';
const total = "export const total = (prices) =>\n  prices.reduce((a, b) => a + b);\n";
const broken_total = "export const total = (prices) =>\n  prices.reduce((a, b => a + b);\n";

const files = {
  "package.json": '{"type":"module"}',
  "vite.config.js": with_plugin,
  "index.html":
    '<!doctype html>\n<html><head><title>Shop</title></head><body><script type="module" src="/main.js"></script></body></html>\n',
  "main.js": main,
  "total.js": total,
};

const serve = async (project, env) => {
  const port = await free_port();
  return start_server([vite, "--port", `${port}`, "--strictPort"], { cwd: project.root, env }, port);
};

const skip = process.env.GASOLINE_BIN ? false : "GASOLINE_BIN is not set";

describe("with an engine", { skip }, () => {
  const project = make_project(here, files);
  let engine;
  let server;
  let browser;
  let page;

  before(async () => {
    engine = await start_telling_engine();
    server = await serve(project, environment(engine.state_dir));
    browser = await start_chromium();
    page = await browser.newPage();
    await page.goto(server.origin);
    await page.waitForFunction(() => document.title == "Total 3");
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
    await engine?.leave();
    project.remove();
  });

  test("the page script is the first of the page, and watches", async () => {
    const first = await page.evaluate(() => document.querySelector("script").src);
    assert.equal(first, `${engine.origin}/gasoline.js?builds=told`);
    await page.evaluate(() => {
      setTimeout(() => {
        throw new Error("the cart is gone");
      });
    });
    await engine.told(/the cart is gone/);
  });

  test("what does not compile is told once, with its place, and its end ends it", async () => {
    project.write("total.js", broken_total);
    const { title, detail } = await engine.told(/Build failed/);
    assert.match(title + detail, /total\.js:2\b/);
    // The page hears of it as well, by its overlay, its console and a reload.
    await page.waitForSelector("vite-error-overlay", { state: "attached" });
    await page.reload();
    await sleep(2000);
    assert.equal(engine.faults_told(), 1, JSON.stringify(engine.notifications()));
    project.write("total.js", total);
    await engine.told(/vite: compiles again/);
    await page.waitForFunction(() => document.title == "Total 3");
    assert.equal(engine.faults_told(), 1, JSON.stringify(engine.notifications()));
  });

  test("without a page as well", async () => {
    await page.goto("about:blank");
    const ends = engine.tellings(/compiles again/).length;
    project.write("main.js", 'import { gone } from "./gone.js";\ngone();\n');
    await sleep(300);
    await fetch(`${server.origin}/main.js`);
    const { title } = await engine.told(/resolve import/);
    assert.match(title, /main\.js:1:\d+: Failed to resolve import/);
    project.write("main.js", main);
    await engine.told_times(/vite: compiles again/, ends + 1);
  });
});

describe("without an engine", { skip }, () => {
  const project = make_project(here, files);
  after(project.remove);

  // What the server prints and answers, without times and the port. Each line counts once: a write
  // may be seen as two changes.
  const seen_of = async (config, env) => {
    project.write("vite.config.js", config);
    rmSync(join(project.root, "node_modules"), { recursive: true, force: true });
    const server = await serve(project, env);
    try {
      const reloads = () => server.output().split("page reload").length - 1;
      // Written again while nothing comes of it: its watcher throttles events of a file, and so loses some.
      const change = async (text) => {
        const before = reloads();
        await wait_until(
          async () => {
            project.write("total.js", text);
            return await wait_until(() => reloads() > before, server.output, 1_000).catch(() => false);
          },
          server.output,
        );
      };
      const html = await (await fetch(server.origin, { headers: { Accept: "text/html" } })).text();
      for (const path of ["main.js", "total.js"]) await fetch(`${server.origin}/${path}`);
      await change(broken_total);
      await fetch(`${server.origin}/total.js`);
      await change(total);
      const printed = server.output().replace(/\d+ ms|:\d{4,5}|\d+:\d+:\d+ [AP]M/g, "");
      return { html, printed: [...new Set(printed.split("\n"))] };
    } finally {
      await server.stop();
    }
  };

  test("nothing is printed and nothing changes", async () => {
    const state = make_project(here, {});
    try {
      const env = environment(state.root);
      const without = await seen_of("export default {};\n", env);
      assert.deepEqual(await seen_of(with_plugin, env), without);
      // A port file of an engine that was killed.
      state.write("port", `${await free_port()}\n`);
      assert.deepEqual(await seen_of(with_plugin, env), without);
    } finally {
      state.remove();
    }
  });
});

test("a build for production holds nothing of it", { skip }, async () => {
  const project = make_project(here, {
    ...files,
    "main.js": `import "gasoline-telemetry/page";\n${main}`,
  });
  const engine = await start_telling_engine();
  try {
    const env = environment(engine.state_dir);
    const { code, err } = await start_node([vite, "build"], { cwd: project.root, env }).ended;
    assert.equal(code, 0, err);
    const dist = join(project.root, "dist");
    const all = readdirSync(dist, { recursive: true, withFileTypes: true })
      .filter((file) => file.isFile())
      .map((file) => readFileSync(join(file.parentPath ?? file.path, file.name), "utf8"));
    assert.ok(all.length >= 2);
    assert.ok(!all.some((text) => /gasoline|7890|127\.0\.0\.1/.test(text)));
  } finally {
    await engine.leave();
    project.remove();
  }
});
