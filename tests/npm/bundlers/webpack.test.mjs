// The plugin in a project of webpack with its development server.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { start_chromium } from "../../browser/support/chromium.mjs";
import { environment, free_port, make_project, start_node, start_server } from "../support/project.mjs";
import { start_telling_engine } from "../support/told.mjs";

const here = import.meta.dirname;
const webpack = join(here, "node_modules/webpack/bin/webpack.js");
const skip = process.env.GASOLINE_BIN ? false : "GASOLINE_BIN is not set";

const total = "export const total = (prices) =>\n  prices.reduce((a, b) => a + b);\n";
const broken_total = "export const total = (prices) =>\n  prices.reduce((a, b => a + b);\n";

const configuration = (plugins) => `const GasolinePlugin = require("gasoline-telemetry/webpack").default;
module.exports = {
  entry: "./src/main.js",
  output: { filename: "main.js", path: __dirname + "/public" },
  devServer: { static: "./public", hot: true },
  infrastructureLogging: { level: "warn" },
  plugins: [${plugins}],
};
`;

const files = {
  "package.json": "{}",
  "webpack.config.js": configuration("new GasolinePlugin()"),
  "public/index.html":
    '<!doctype html>\n<html><head><title>Shop</title></head><body><script src="/main.js"></script></body></html>\n',
  "src/main.js":
    'import { total } from "./total.js";\ndocument.title = `Total ${total([1, 2])}`;\nmodule.hot?.accept();\n',
  "src/total.js": total,
};

const serve = async (project, env) => {
  const port = await free_port();
  const args = [webpack, "serve", "--mode", "development", "--port", `${port}`, "--no-open"];
  return start_server(args, { cwd: project.root, env }, port);
};

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
    project.write("src/total.js", broken_total);
    const { title } = await engine.told(/Build failed/, 20_000);
    assert.match(title, /src\/total\.js:2:\d+: Module parse failed/);
    await page.reload();
    await page.waitForTimeout(2500);
    assert.equal(engine.faults_told(), 1, JSON.stringify(engine.notifications()));
    project.write("src/total.js", total);
    await engine.told(/webpack: compiles again/, 20_000);
    await page.waitForFunction(() => document.title == "Total 3");
    assert.equal(engine.faults_told(), 1, JSON.stringify(engine.notifications()));
  });

  test("a module that is not there", async () => {
    project.write("src/main.js", `import "./gone.js";\n${files["src/main.js"]}`);
    const { title } = await engine.told(/gone\.js/, 20_000);
    assert.match(title, /src\/main\.js:1: Module not found/);
  });
});

describe("without an engine", { skip }, () => {
  test("nothing is printed and nothing changes", async () => {
    const state = make_project(here, {});
    const project = make_project(here, files);
    const env = environment(state.root);
    const seen_of = async (plugins) => {
      project.write("webpack.config.js", configuration(plugins));
      const server = await serve(project, env);
      const headers = { Accept: "text/html" };
      const html = await (await fetch(server.origin, { headers })).text();
      await server.stop();
      // What is left of the lines without times and addresses.
      const printed = server.output().replace(/\d+ ms|:\d{4,5}|\d+(\.\d+)? (bytes|[KM]iB)/g, "");
      return { html, printed };
    };
    try {
      const without = await seen_of("");
      assert.deepEqual(await seen_of("new GasolinePlugin()"), without);
      state.write("port", `${await free_port()}\n`);
      assert.deepEqual(await seen_of("new GasolinePlugin()"), without);
    } finally {
      project.remove();
      state.remove();
    }
  });
});

test("builds hold nothing of it", { skip }, async () => {
  const project = make_project(here, {
    ...files,
    "src/main.js": `import "gasoline-telemetry/page";\n${files["src/main.js"]}`,
  });
  const engine = await start_telling_engine();
  try {
    const env = environment(engine.state_dir);
    const args = [webpack, "--mode", "production"];
    const { code, out } = await start_node(args, { cwd: project.root, env }).ended;
    assert.equal(code, 0, out);
    const built = join(project.root, "public/main.js");
    assert.ok(existsSync(built));
    assert.doesNotMatch(readFileSync(built, "utf8"), /gasoline|7890|127\.0\.0\.1/);
    assert.doesNotMatch(project.read("public/index.html"), /gasoline/);
  } finally {
    await engine.leave();
    project.remove();
  }
});
