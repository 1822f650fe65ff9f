// The plugin in a project of Next, with each of its bundlers.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { start_chromium } from "../../browser/support/chromium.mjs";
import { environment, free_port, make_project, start_node, start_server } from "../support/project.mjs";
import { start_telling_engine } from "../support/told.mjs";

const here = import.meta.dirname;
const next = join(here, "node_modules/next/dist/bin/next");
const skip = process.env.GASOLINE_BIN ? false : "GASOLINE_BIN is not set";

const total = "export const total = (prices) =>\n  prices.reduce((a, b) => a + b);\n";
const broken_total = "export const total = (prices) =>\n  prices.reduce((a, b => a + b);\n";

const configuration = (is_used) => `import gasoline from "gasoline-telemetry/next";
const config = { turbopack: { root: ${JSON.stringify(here)} }, devIndicators: false };
export default ${is_used ? "gasoline(config)" : "config"};
`;

const files = {
  "package.json": "{}",
  "next.config.mjs": configuration(true),
  "app/layout.jsx":
    'export default function Layout({ children }) {\n  return <html lang="en"><body>{children}</body></html>;\n}\n',
  "app/page.jsx":
    'import { Cart } from "./Cart.jsx";\nexport default function Page() {\n  return <Cart />;\n}\n',
  "app/Cart.jsx":
    '"use client";\nimport { useEffect } from "react";\nimport { total } from "./total.js";\nexport function Cart() {\n  useEffect(() => void (document.title = `Total ${total([1, 2])}`), []);\n  return <h1>Cart</h1>;\n}\n',
  "app/total.js": total,
};

const serve = async (project, env, ...more) => {
  const port = await free_port();
  const args = [next, "dev", "--port", `${port}`, ...more];
  return start_server(args, { cwd: project.root, env }, port);
};

for (const bundler of ["--turbopack", "--webpack"])
  describe(`with an engine and ${bundler}`, { skip }, () => {
    const project = make_project(here, files);
    let engine;
    let server;
    let browser;
    let page;

    before(async () => {
      engine = await start_telling_engine();
      server = await serve(project, environment(engine.state_dir), bundler);
      browser = await start_chromium();
      page = await browser.newPage();
      await page.goto(server.origin, { timeout: 60_000 });
      await page.waitForFunction(() => document.title == "Total 3");
    });
    after(async () => {
      await browser?.close();
      await server?.stop();
      await engine?.leave();
      project.remove();
    });

    test("the page script is the first of the page, and React minds it not", async () => {
      const html = await (
        await fetch(server.origin, { headers: { Accept: "text/html" } })
      ).text();
      const tag = `<script crossorigin src="${engine.origin}/gasoline.js"></script>`;
      assert.equal(html.match(/<script.*?<\/script>/)[0], tag);
      await page.evaluate(() => {
        setTimeout(() => {
          throw new Error("the cart is gone");
        });
      });
      await engine.told(/the cart is gone/);
      assert.equal(engine.tellings(/ydration/).length, 0);
      assert.equal(engine.notifications().length, 1, JSON.stringify(engine.notifications()));
    });

    test("what does not compile is told once, with its place, and its end ends it", async () => {
      project.write("app/total.js", broken_total);
      const { title } = await engine.told(/Build failed/, 30_000);
      assert.match(title, /app\/total\.js:2:\d+/, title);
      await page.reload({ timeout: 60_000 });
      await page.waitForTimeout(2500);
      assert.equal(engine.faults_told(), 1, JSON.stringify(engine.notifications(), null, 1));
      project.write("app/total.js", total);
      await engine.told(/next: compiles again/, 30_000);
      assert.equal(engine.faults_told(), 1, JSON.stringify(engine.notifications(), null, 1));
    });
  });

describe("without an engine", { skip }, () => {
  test("nothing is printed and nothing changes", async () => {
    const state = make_project(here, {});
    const project = make_project(here, files);
    const env = environment(state.root);
    const seen_of = async (is_used) => {
      project.write("next.config.mjs", configuration(is_used));
      const server = await serve(project, env);
      const html = await (
        await fetch(server.origin, { headers: { Accept: "text/html" } })
      ).text();
      await server.stop();
      // Without times, ports and the order of what compiles in parallel.
      const printed = server
        .output()
        .replace(/:\d{4,5}|[\d.]+m?s\b/g, "")
        .replace(/^ GET .*$/gm, "GET")
        .split("\n")
        .sort();
      return { scripts: html.match(/<script/g).length, printed: new Set(printed) };
    };
    try {
      await seen_of(false);
      const without = await seen_of(false);
      state.write("port", `${await free_port()}\n`);
      assert.deepEqual(await seen_of(true), without);
    } finally {
      project.remove();
      state.remove();
    }
  });
});

test("a build for production holds nothing of it", { skip }, async () => {
  const project = make_project(here, files);
  const engine = await start_telling_engine();
  try {
    const env = environment(engine.state_dir);
    const { code, out, err } = await start_node([next, "build"], { cwd: project.root, env }).ended;
    assert.equal(code, 0, out + err);
    const built = join(project.root, ".next");
    const all = ["static", "server"].flatMap((part) =>
      readdirSync(join(built, part), { recursive: true, withFileTypes: true })
        .filter((file) => file.isFile() && /\.(js|html)$/.test(file.name))
        .map((file) => readFileSync(join(file.parentPath ?? file.path, file.name), "utf8")),
    );
    assert.ok(all.length > 2);
    assert.ok(!all.some((text) => /gasoline\.js/.test(text)));
  } finally {
    await engine.leave();
    project.remove();
  }
});
