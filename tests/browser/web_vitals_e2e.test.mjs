// What the page script tells of a page's speed, beside what Chrome's own library web-vitals measures in
// the same page: shifts, slow interactions, a return from the cache, a page that begins hidden, one that
// was loaded ahead.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { start_http_server } from "./support/http_server.mjs";
import { wait_until } from "./support/wait_until.mjs";
import { watched_page } from "./support/watched_page.mjs";

const all = watched_page();

const library = readFileSync(
  new URL("./node_modules/web-vitals/dist/web-vitals.iife.js", import.meta.url),
  "utf8",
);

// Keeps what the library reports where the next page of the site finds it, by visit.
const reporting = `<script>${library}</script><script>
  const kept = () => JSON.parse(sessionStorage.vitals ?? "[]");
  let visit = kept().length;
  addEventListener("pageshow", ({ persisted }) => { if (persisted) visit = kept().length; }, true);
  const keep = ({ name, value }) => {
    const visits = kept();
    visits[visit] = { ...visits[visit], [name]: value };
    sessionStorage.vitals = JSON.stringify(visits);
  };
  for (const name of ["onCLS", "onFCP", "onINP", "onLCP", "onTTFB"]) webVitals[name](keep);
  </script>`;

const names = {
  CLS: ({ cumulative_layout_shift }) => cumulative_layout_shift,
  FCP: ({ first_contentful_paint }) => first_contentful_paint,
  INP: ({ interaction_to_next_paint }) => interaction_to_next_paint,
  LCP: ({ largest_contentful_paint }) => largest_contentful_paint,
  TTFB: ({ time_to_first_byte }) => time_to_first_byte,
};

const by_name = (values) =>
  Object.fromEntries(Object.entries(names).map(([name, of]) => [name, of(values)]));

// What the page script has told of each visit of the page with that path.
const told = (path) => {
  const by_visit = new Map();
  for (const { id, timing, cumulative_layout_shift, url } of all.engine.entries("performance-snapshots"))
    if (url.endsWith(path)) {
      const before = by_visit.get(id);
      const shift = cumulative_layout_shift ?? before?.cumulative_layout_shift;
      by_visit.set(id, { ...before, ...timing, cumulative_layout_shift: shift });
    }
  return [...by_visit.values()];
};

// Leaves the page. Resolves to the values of each visit of it, the library's and ours.
const leave = async (visits = 1) => {
  // The library looks at what it has when the page is idle.
  await all.page.evaluate(
    () => new Promise((then) => requestIdleCallback(() => setTimeout(then, 50), { timeout: 2_000 })),
  );
  all.app.set_page("/next", "<title>next</title>");
  await all.page.goto(`${all.app.origin}/next`);
  const theirs = await all.page.evaluate(() => JSON.parse(sessionStorage.vitals));
  // Of a return the library says that its first byte took no time; nothing is told of that.
  const expected = Object.keys(theirs.at(-1)).filter((name) => visits == 1 || name != "TTFB");
  const ours = await wait_until(
    () => {
      const found = told("/page");
      const last = by_name(found.at(-1) ?? {});
      return found.length == visits && expected.every((name) => last[name] !== undefined) && found;
    },
    () => `${JSON.stringify(theirs)}, ours ${JSON.stringify(told("/page"))}`,
  );
  return { theirs, ours: ours.map(by_name) };
};

const rounded = (values, ...left_out) =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([name]) => !left_out.includes(name))
      .map(([name, value]) => [name, Number(value.toFixed(3))]),
  );

const known = (values) => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

const same = (theirs, ours, ...left_out) =>
  assert.deepEqual(rounded(known(ours), ...left_out), rounded(theirs, ...left_out));

const open = async (body) => {
  await all.open(body, reporting);
  await all.engine.entry("performance-snapshots", () => true);
};

test("shifts in windows of their own, and those that follow an input", async () => {
  await open(`<div id=top></div><h1>Title</h1><p>Text</p><button>Grow</button><script>
    const grow = (px) => (document.getElementById("top").style.height = px + "px");
    [50, 90, 100, 220, 230].forEach((px, i) => setTimeout(grow, [100, 200, 300, 1700, 1800][i], px));
    document.querySelector("button").onclick = () => grow(400);</script>`);
  await all.page.waitForFunction(() => document.getElementById("top").style.height == "230px");
  await all.page.click("button");
  await all.page.waitForTimeout(300);
  const { theirs, ours } = await leave();
  assert.ok(theirs[0].CLS > 0);
  same(theirs[0], ours[0]);
});

test("the slowest of some interactions", async () => {
  await open(`<h1>Title</h1><button>Work</button><input><script>
    const work = (ms) => { const end = performance.now() + ms; while (performance.now() < end); };
    let times = [10, 120, 60, 180, 5];
    document.querySelector("button").onclick = () => work(times.shift());
    document.querySelector("input").onkeydown = () => work(90);</script>`);
  for (let i = 0; i < 5; i++) await all.page.click("button");
  await all.page.focus("input");
  await all.page.keyboard.type("abc");
  await all.page.waitForTimeout(500);
  const { theirs, ours } = await leave();
  assert.ok(theirs[0].INP >= 180);
  same(theirs[0], ours[0]);
});

test("of more than fifty interactions the slowest is left out", async () => {
  await open(`<h1>Title</h1><button>Work</button><script>
    const work = (ms) => { const end = performance.now() + ms; while (performance.now() < end); };
    let n = 0;
    document.querySelector("button").onclick = () => work(n++ == 7 ? 1500 : n == 20 ? 150 : 0);</script>`);
  for (let i = 0; i < 60; i++) await all.page.click("button");
  await all.page.waitForTimeout(500);
  const { theirs, ours } = await leave();
  assert.ok(theirs[0].INP < 1500);
  same(theirs[0], ours[0]);
});

test("a page that comes back from the cache is measured anew", async () => {
  await open(`<div id=top></div><h1>Title</h1><button>Work</button><script>
    const work = (ms) => { const end = performance.now() + ms; while (performance.now() < end); };
    let ms = 900;
    document.querySelector("button").onclick = () => work(ms);
    const grow = (px) => (document.getElementById("top").style.height = px + "px");
    setTimeout(grow, 100, 200);
    addEventListener("pageshow", ({ persisted }) => { if (persisted) { ms = 60; setTimeout(grow, 600, 230); } });</script>`);
  await all.page.click("button");
  await all.page.waitForTimeout(1200);
  all.app.set_page("/other", "<title>other</title>");
  await all.page.goto(`${all.app.origin}/other`);
  await all.page.goBack({ waitUntil: "commit" });
  const restored = ({ navigation_type }) => navigation_type == "back-forward-cache";
  await all.engine.entry("performance-snapshots", restored);
  await all.page.click("button");
  await all.page.waitForTimeout(500);
  const { theirs, ours } = await leave(2);
  same(theirs[0], ours[0]);
  // The paints after a return both take from a frame; each asks for its own.
  const { TTFB, ...second } = theirs[1];
  same(second, ours[1], "FCP", "LCP");
  assert.ok(second.CLS < theirs[0].CLS && second.INP < theirs[0].INP, JSON.stringify(theirs));
  for (const name of ["FCP", "LCP"]) {
    assert.ok(ours[1][name] > 0, name);
    assert.ok(Math.abs(second[name] - ours[1][name]) < 250, `${name}: ${second[name]}, ours ${ours[1][name]}`);
  }
});

test("a page that begins hidden has no paints", async () => {
  await all.page.addInitScript(() => {
    for (const [name, value] of [["hidden", true], ["visibilityState", "hidden"]])
      Object.defineProperty(document, name, { configurable: true, get: () => value });
    addEventListener("load", () => setTimeout(() => {
      delete document.hidden;
      delete document.visibilityState;
      document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
    }, 300));
  });
  await open("<h1>Title</h1><button>Work</button>");
  await all.page.waitForFunction(() => !document.hidden);
  await all.page.waitForTimeout(300);
  const { theirs, ours } = await leave();
  assert.equal(theirs[0].FCP, undefined);
  same(theirs[0], ours[0]);
});

// A browser that is driven loads nothing ahead, so this one is not: its pages lead on by themselves.
test("of a page that was loaded ahead times count from when it was shown", async () => {
  let kept;
  const page = (body, then, ms) =>
    `<!doctype html><title>x</title>${body}<script>setTimeout(() => { ${then} }, ${ms});</script>`;
  const pages = {
    "/start": page(
      `<script type="speculationrules">
        {"prerender":[{"source":"list","urls":["/page"],"eagerness":"immediate"}]}</script>`,
      "location = '/page'",
      1500,
    ),
    "/page": page(
      `${all.tag()}${reporting}<h1>Title</h1>`,
      `sessionStorage.shown_at = performance.getEntriesByType("navigation")[0].activationStart;
       requestIdleCallback(() => setTimeout(() => (location = '/next'), 50), { timeout: 2000 })`,
      4000,
    ),
    "/next": page("", "fetch('/kept', { method: 'POST', body: JSON.stringify(sessionStorage) })", 0),
  };
  const site = await start_http_server((request, response, body) => {
    if (request.url == "/kept") kept = JSON.parse(body);
    response.writeHead(200, { "Content-Type": "text/html" }).end(pages[request.url] ?? "");
  });
  const profile = mkdtempSync(join(tmpdir(), "gasoline-ahead-"));
  const browser = spawn(
    process.env.CHROMIUM ?? "/usr/bin/chromium",
    ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", `--user-data-dir=${profile}`, `${site.origin}/start`],
    { stdio: "ignore", detached: true },
  );
  const ended = new Promise((resolve) => browser.on("exit", resolve));
  try {
    await wait_until(() => kept, () => "its pages did not lead on", 60_000);
    assert.ok(Number(kept.shown_at) > 0, `shown at ${kept.shown_at}`);
    const theirs = JSON.parse(kept.vitals).at(-1);
    const ours = await wait_until(
      () => told("/page").at(-1)?.largest_contentful_paint !== undefined && told("/page").at(-1),
      () => JSON.stringify(told("/page")),
    );
    same(theirs, by_name(ours));
  } finally {
    process.kill(-browser.pid, "SIGKILL");
    await ended;
    await site.stop();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
});
