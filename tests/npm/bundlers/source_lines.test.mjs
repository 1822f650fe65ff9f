// Where an agent is told that an error is, whichever way a bundler has made the script: at the line of
// the source that is known here.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { start_chromium } from "../../browser/support/chromium.mjs";
import {
  check_fault,
  exact_lines,
  fault_names,
  faulty_sources,
  main_source,
  body_html,
  page_html,
  serve_folder,
  statement_lines,
} from "../support/faulty_pages.mjs";
import { environment, free_port, make_project, start_node, start_server } from "../support/project.mjs";
import { start_telling_engine } from "../support/told.mjs";

const here = import.meta.dirname;
const webpack = join(here, "node_modules/webpack/bin/webpack.js");
const esbuild = join(here, "node_modules/esbuild/bin/esbuild");
const rsbuild = join(here, "node_modules/@rsbuild/core/bin/rsbuild.js");
const next = join(here, "node_modules/next/dist/bin/next");
const skip = process.env.GASOLINE_BIN ? false : "GASOLINE_BIN is not set";

const run = async (args, project) => {
  const { code, out, err } = await start_node(args, { cwd: project.root, env: environment(project.root) })
    .ended;
  if (code !== 0) throw new Error(out + err);
};

// Each of these makes a project for an engine, and resolves to the page's origin and its end.
const serve_built = async (project) => {
  const { origin, close } = await serve_folder(join(project.root, "public"));
  return { origin, stop: close };
};

const with_webpack = (mode, devtool) => async (engine) => {
  const project = make_project(here, {
    "package.json": "{}",
    "webpack.config.js": `module.exports = {
  mode: "${mode}", devtool: "${devtool}", entry: "./src/main.js",
  output: { filename: "main.js", chunkFilename: "[name].chunk.js", path: __dirname + "/public" },
};\n`,
    "public/index.html": page_html(engine, "/main.js"),
    "src/main.js": main_source,
    ...faulty_sources,
  });
  await run([webpack], project);
  return { project, ...(await serve_built(project)) };
};

const with_esbuild = async (engine) => {
  const project = make_project(here, {
    "package.json": "{}",
    "public/index.html": page_html(engine, "/main.js").replace("<script src", '<script type="module" src'),
    "src/main.js": main_source,
    ...faulty_sources,
  });
  const options = ["--bundle", "--minify", "--splitting", "--format=esm", "--sourcemap", "--outdir=public"];
  // Its launcher is the program itself where npm could put that in its place.
  execFileSync(esbuild, ["src/main.js", ...options, "--log-level=error"], { cwd: project.root });
  return { project, ...(await serve_built(project)) };
};

const with_server = async (project, args) => {
  const port = await free_port();
  const options = { cwd: project.root, env: environment(project.root) };
  const server = await start_server([...args, "--port", `${port}`], options, port);
  return { project, origin: server.origin, stop: server.stop };
};

const with_rsbuild = (devtool) => (engine) => {
  const project = make_project(here, {
    "package.json": "{}",
    "rsbuild.config.mjs": `export default {
  source: { entry: { index: "./src/main.js" } },
  html: { template: "./index.html", inject: "body" },
  output: { sourceMap: { js: "${devtool}" } },
};\n`,
    "index.html": page_html(engine, "").replace('<script src=""></script>\n', ""),
    "src/main.js": main_source,
    ...faulty_sources,
  });
  return with_server(project, [rsbuild, "dev"]);
};

const with_next = (bundler) => (engine) => {
  const project = make_project(here, {
    "package.json": "{}",
    "next.config.mjs": `export default { turbopack: { root: ${JSON.stringify(here)} }, devIndicators: false };\n`,
    "app/layout.jsx": `export default function Layout({ children }) {
  return <html lang="en"><head><script crossOrigin="" src="${engine.origin}/gasoline.js" /></head><body>{children}</body></html>;
}\n`,
    "app/page.jsx": `"use client";
import { useEffect } from "react";
import { arm } from "../src/buttons.js";

export default function Page() {
  useEffect(arm, []);
  return <main>
${body_html}
  </main>;
}\n`,
    ...faulty_sources,
  });
  return with_server(project, [next, "dev", bundler]);
};

// How a page is made, and the lines that its maps know.
const ways = {
  "webpack, eval-source-map": [with_webpack("development", "eval-source-map"), exact_lines],
  "webpack, eval-cheap-module-source-map": [with_webpack("development", "eval-cheap-module-source-map"), exact_lines],
  "webpack, inline-source-map": [with_webpack("development", "inline-source-map"), exact_lines],
  "webpack for production, source-map": [with_webpack("production", "source-map"), exact_lines],
  "esbuild, minified": [with_esbuild, exact_lines],
  "Rsbuild as it comes": [with_rsbuild("cheap-module-source-map"), statement_lines],
  "Rsbuild, eval-source-map": [with_rsbuild("eval-source-map"), exact_lines],
  "Next with Turbopack": [with_next("--turbopack"), exact_lines],
  "Next with webpack": [with_next("--webpack"), exact_lines],
};

for (const [name, [make, lines]] of Object.entries(ways))
  describe(name, { skip }, () => {
    let engine;
    let page;
    let browser;
    let served;

    before(async () => {
      engine = await start_telling_engine();
      served = await make(engine);
      browser = await start_chromium();
      page = await browser.newPage();
      await page.goto(served.origin, { timeout: 60_000 });
      await page.waitForFunction(() => document.title == "armed", undefined, { timeout: 60_000 });
    });
    after(async () => {
      await browser?.close();
      await served?.stop();
      await engine?.leave();
      served?.project.remove();
    });

    for (const fault of fault_names) test(fault, () => check_fault(engine, page, fault, lines));
  });
