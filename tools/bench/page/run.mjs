// What the page script costs a page, beside @sentry/browser, in one Chromium:
// node run.mjs SCRIPT, where SCRIPT is the page script as it is served.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { chromium } from "playwright-core";
import { rows } from "./rows.mjs";

const rounds = 5;

const sentry_setup = `
  import * as sentry from "@sentry/browser";
  sentry.init({
    dsn: location.origin.replace("://", "://key@") + "/1",
    enableLogs: true,
    integrations: [
      sentry.captureConsoleIntegration({ levels: ["error"] }),
      sentry.consoleLoggingIntegration(),
    ],
  });`;

const bundle_sentry = async () => {
  const { outputFiles } = await build({
    stdin: { contents: sentry_setup, resolveDir: import.meta.dirname },
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    define: { __SENTRY_DEBUG__: "false" },
  });
  return outputFiles[0].text;
};

// The browser's own part of a call is left out, since it takes longer and varies more than ours.
const quiet = `
  for (const name of ["log", "error"]) console[name] = () => {};
  const native = fetch;
  const answer = Promise.resolve(new Response("{}"));
  fetch = (url, options) => (url == "/items" ? answer : native(url, options));`;

const page_of = (tag) => `<!doctype html><html><head>
  <script>${quiet}</script>${tag}</head>
  <body><main id="large"><button id="go">Go</button></main><script>
    for (let i = 0; i < 20000; i++)
      document.getElementById("large").append(Object.assign(document.createElement("p"), { textContent: "Row " + i }));
  </script></body></html>`;

// Serves the pages and scripts, and takes whatever they send.
const serve = async (files) => {
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => {
      const [type, body] = files[request.url.split("?")[0]] ?? ["application/json", "{}"];
      response.writeHead(200, { "Content-Type": type, "Access-Control-Allow-Origin": "*" });
      response.end(body);
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, origin: `http://127.0.0.1:${server.address().port}` };
};

// Microseconds that one call takes: of each round the mean, of all rounds the least, since other
// programs use the machine as well.
const measure = async (page, { calls, prepare, call }) =>
  page.evaluate(
    async ([count, prepare_text, call_text]) => {
      const value = await eval(`(${prepare_text})`)();
      const run = eval(`(${call_text})`);
      const start = performance.now();
      for (let i = 0; i < count; i++) await run(value, i);
      const spent = performance.now() - start;
      // What was put off is done before the next round.
      await new Promise((resolve) => setTimeout(resolve, 150));
      return (spent / count) * 1000;
    },
    [calls, `${prepare}`, `${call}`],
  );

const [, , script_file] = process.argv;
if (!script_file) {
  console.error("Usage: node run.mjs SCRIPT");
  process.exit(2);
}
const script = readFileSync(script_file);
const sentry = await bundle_sentry();
const html = (body) => ["text/html", body];
const js = (body) => ["text/javascript", body];
const { server, origin } = await serve({
  "/none": html(page_of("")),
  "/ours": html(page_of('<script crossorigin src="/gasoline.js"></script>')),
  "/sentry": html(page_of('<script src="/sentry.js"></script>')),
  "/gasoline.js": js(script),
  "/sentry.js": js(sentry),
});

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--headless", "--no-sandbox", "--disable-gpu"],
});
const pages = {};
for (const name of ["none", "ours", "sentry"]) {
  pages[name] = await browser.newPage();
  await pages[name].goto(`${origin}/${name}`);
}

const results = rows.map((row) => ({ row, none: [], ours: [], sentry: [] }));
for (let round = 0; round < rounds; round++)
  for (const result of results)
    for (const name in pages) result[name].push(await measure(pages[name], result.row));

await browser.close();
server.close();

const columns = [34, 10, 10, 10, 12];
const line = (...cells) =>
  console.log(cells.map((cell, i) => `${cell}`[i ? "padStart" : "padEnd"](columns[i])).join(" "));
const shown = (us) => (us < 100 ? us.toFixed(1) : us.toFixed(0));

console.log("Microseconds of a page for one call, beyond what it takes without a script.");
line("", "ours", "sentry", "budget", "");
let over = 0;
for (const { row, none, ours, sentry: theirs } of results) {
  const beyond = (values) => Math.max(0, Math.min(...values) - Math.min(...none));
  const own = beyond(ours);
  const peer = beyond(theirs);
  const budget = row.budget ?? peer;
  const is_over = own > budget;
  if (is_over) over++;
  line(row.name, shown(own), shown(peer), row.budget ?? "sentry", is_over ? "over" : "");
}
line(
  "script, bytes compressed",
  gzipSync(script, { level: 9 }).length,
  gzipSync(sentry, { level: 9 }).length,
  12288,
  "",
);
console.log(over ? `${over} rows are over their budget.` : "All rows are within their budget.");
