import assert from "node:assert/strict";
import { test } from "node:test";
import { answer_of, open_fake_page } from "./support/fake_page.mjs";

const with_page = (name, answer, steps, query) =>
  test(name, async () => {
    const page = await open_fake_page(answer, query);
    try {
      await steps(page);
    } finally {
      page.close();
    }
  });

const taken = () => answer_of(200);
const refused = () => {
  throw new TypeError("Failed to fetch");
};
const numbers = ({ body }) => body.entries.map(({ n }) => n);
const hates = ({ options }) => options.body.includes('"n":7,');
const told_losses = (page) =>
  page.posts
    .flatMap(({ body }) => body.entries ?? [])
    .reduce(
      (sum, { message }) => sum + (/^gasoline: (\d+) entries lost$/.exec(message)?.[1] | 0),
      0,
    );

with_page("entries leave together after 100 ms, by route", taken, async (page) => {
  page.report("logs", { n: 1 });
  page.report("network-bodies", { n: 2 });
  page.report("logs", { n: 3 });
  await page.pass(99);
  assert.equal(page.posts.length, 0);
  await page.pass(1);
  const [logs, bodies] = page.posts;
  assert.equal(logs.url, "http://localhost:7890/logs");
  assert.deepEqual(numbers(logs), [1, 3]);
  assert.equal(logs.body.page_url, "http://app.test/page");
  assert.match(logs.body.entries[0].ts, /^\d{4}-\d\d-\d\dT.*Z$/);
  assert.equal(logs.options.credentials, "omit");
  assert.equal(logs.options.headers, undefined);
  assert.equal(bodies.body.bodies[0].n, 2);
  await page.pass(60_000);
  assert.equal(page.posts.length, 2);
});

with_page(
  "the query of the script, such as the token, goes with every post",
  taken,
  async (page) => {
    page.report("logs", { n: 1 });
    page.report("network-bodies", { n: 2 });
    await page.pass(100);
    assert.deepEqual(
      page.posts.map(({ url }) => url),
      [
        "http://localhost:7890/logs?token=a-b_c",
        "http://localhost:7890/network-bodies?token=a-b_c",
      ],
    );
  },
  "?token=a-b_c",
);

with_page("every route has its list name", taken, async (page) => {
  const lists = {
    logs: "entries",
    "network-bodies": "bodies",
    "network-waterfall": "entries",
    "websocket-events": "events",
    "enhanced-actions": "actions",
    "performance-snapshots": "snapshots",
  };
  for (const route in lists) page.report(route, { route });
  await page.pass(100);
  for (const { url, body } of page.posts) {
    const route = url.split("/").pop();
    assert.equal(body[lists[route]][0].route, route);
  }
  assert.equal(page.posts.length, 6);
});

with_page("fifty entries leave at once", taken, async (page) => {
  for (let n = 0; n < 49; n++) page.report("logs", { n });
  await page.pass(0);
  assert.equal(page.posts.length, 0);
  page.report("logs", { n: 49 });
  await page.pass(1);
  assert.equal(page.posts[0].body.entries.length, 50);
});

with_page("a page that goes leaves batches that may outlive it", taken, async (page) => {
  for (let n = 0; n < 9; n++) page.report("logs", { n, text: "x".repeat(9000) });
  await page.hide();
  assert.deepEqual(page.posts.map(numbers), [[0, 1], [2, 3], [4, 5], [6, 7], [8]]);
  const bytes_alive = page.posts
    .filter(({ options }) => options.keepalive)
    .map(({ options }) => Buffer.byteLength(options.body));
  assert.equal(bytes_alive.length, 3);
  assert.ok(bytes_alive.reduce((sum, bytes) => sum + bytes) <= 65536);
});

with_page("bytes of UTF-8 are counted, not characters", taken, async (page) => {
  page.report("logs", { n: 0, text: "€".repeat(19_000) });
  page.report("logs", { n: 1, text: "€".repeat(19_000) });
  await page.hide();
  assert.deepEqual(
    page.posts.map(({ options }) => !!options.keepalive),
    [true, false],
  );
});

with_page("a hidden page goes on sending, and needs no keep-alive for it", taken, async (page) => {
  await page.hide();
  for (let n = 0; n < 30; n++) page.report("logs", { n, text: "x".repeat(9000) });
  await page.pass(100);
  await page.pass(100);
  assert.deepEqual(page.posts.flatMap(numbers), [...Array(30).keys()]);
  assert.ok(page.posts.every(({ options }) => !options.keepalive));
});

const beyond_keepalive = ({ options }) => (options.keepalive ? refused() : answer_of(200));
with_page("where keep-alive is used up, a post goes without", beyond_keepalive, async (page) => {
  page.report("logs", { n: 0 });
  await page.hide();
  page.report("logs", { n: 1 });
  await page.pass(100);
  assert.deepEqual(page.posts.map(numbers), [[0], [0], [1]]);
});

const hates_seven = (post) => (hates(post) ? refused() : answer_of(200));
with_page("an entry that can never leave does not stop the others", hates_seven, async (page) => {
  for (let n = 0; n < 20; n++) page.report("logs", { n, text: "" });
  await page.pass(100);
  page.report("logs", { n: 20, text: "" });
  await page.pass(1000);
  const arrived = () => page.posts.filter((post) => !hates(post)).flatMap(numbers);
  assert.ok(arrived().includes(20));
  for (let i = 0; i < 60; i++) await page.pass(100);
  assert.deepEqual(
    arrived()
      .filter((n) => n >= 0)
      .sort((one, other) => one - other),
    [...Array(21).keys()].filter((n) => n != 7),
  );
  assert.equal(told_losses(page), 1);
  const posts = page.posts.length;
  await page.pass(60_000);
  assert.equal(page.posts.length, posts);
});

with_page("an entry larger than a batch leaves alone", taken, async (page) => {
  page.report("logs", { n: 0, text: "x".repeat(300_000) });
  page.report("logs", { n: 1 });
  await page.pass(100);
  assert.deepEqual(page.posts.map(numbers), [[0], [1]]);
});

with_page("hiding sends what waits, after the actions for it", taken, async (page) => {
  page.before_hide(() => page.report("logs", { n: 2 }));
  page.before_hide(() => page.report("logs", { n: 1 }));
  page.report("logs", { n: 0 });
  await page.hide();
  assert.deepEqual(numbers(page.posts[0]), [0, 1, 2]);
  assert.equal(page.posts[0].options.keepalive, true);
});

with_page("an absent engine is asked three times, then every 30 s", refused, async (page) => {
  page.report("logs", { n: 0 });
  page.report("network-bodies", { n: 1 });
  const asked_after = async (ms) => {
    await page.pass(ms);
    return page.posts.length;
  };
  assert.equal(await asked_after(100), 1);
  assert.equal(await asked_after(999), 1);
  assert.equal(await asked_after(1), 2);
  assert.equal(await asked_after(2000), 3);
  assert.equal(await asked_after(29_999), 3);
  page.report("logs", { n: 2 });
  await page.hide();
  assert.equal(await asked_after(0), 3);
  assert.equal(await asked_after(1), 4);
  assert.equal(await asked_after(30_000), 5);
  assert.deepEqual(page.posts.slice(1).map(numbers), [[], [], [], []]);
});

let absent = true;
with_page(
  "when the engine is back, it gets what waited",
  () => (absent ? refused() : answer_of(200)),
  async (page) => {
    page.report("logs", { n: 0 });
    await page.pass(100);
    page.report("logs", { n: 1 });
    absent = false;
    await page.pass(1000);
    assert.deepEqual(page.posts.slice(1).flatMap(numbers).sort(), [0, 1]);
    page.report("logs", { n: 2 });
    await page.pass(100);
    assert.deepEqual(numbers(page.posts.at(-1)), [2]);
  },
);

let full = true;
with_page(
  "the queue is bounded, and the engine learns how much was lost",
  () => (full ? refused() : answer_of(200)),
  async (page) => {
    page.report("logs", { n: -1 });
    await page.pass(100);
    for (let n = 0; n < 5500; n++) page.report("logs", { n });
    full = false;
    page.posts.length = 0;
    await page.pass(1000);
    await page.pass(100);
    await page.pass(100);
    const entries = page.posts.flatMap(({ body }) => body.entries);
    assert.equal(entries[0].n, 500);
    assert.equal(entries.filter(({ n }) => n >= 0).length, 5000);
    assert.equal(told_losses(page), 501);
  },
);

let answers = [answer_of(429, { "Retry-After": "7" }), answer_of(200), answer_of(200)];
with_page(
  "Retry-After is honoured",
  () => answers.shift(),
  async (page) => {
    page.report("logs", { n: 0 });
    await page.pass(100);
    await page.hide();
    await page.pass(6999);
    assert.equal(page.posts.length, 1);
    await page.pass(1);
    assert.deepEqual(page.posts.slice(1).map(numbers), [[], [0]]);
  },
);

with_page(
  "what the engine refuses for good is not sent again",
  () => answer_of(400),
  async (page) => {
    page.report("logs", { n: 0 });
    await page.pass(100);
    await page.pass(60_000);
    assert.equal(page.posts.length, 1);
  },
);

with_page(
  "an engine that refuses the page is asked once a minute, and the console is told once",
  () => answer_of(403),
  async (page) => {
    page.report("logs", { n: 0 });
    await page.pass(100);
    await page.pass(59_999);
    assert.equal(page.posts.length, 1);
    await page.pass(1);
    await page.pass(60_000);
    assert.equal(page.posts.length, 3);
    assert.equal(page.console_lines.length, 1);
    assert.match(page.console_lines[0], /refuses this page \(403\).*"http:\/\/app\.test"/);
  },
);

with_page("a shut transport is silent, takes no more, and says why once", taken, async (page) => {
  page.report("logs", { n: 0 });
  page.stop_transport();
  page.stop_transport();
  page.report("logs", { n: 1 });
  await page.pass(60_000);
  assert.equal(page.posts.length, 0);
  assert.equal(page.console_lines.length, 1);
  assert.match(page.console_lines[0], /connect-src http:\/\/localhost:7890$/);
});

with_page("the engine's own URLs are known, others that begin like them are not", taken, (page) => {
  for (const url of [
    "http://localhost:7890",
    "http://localhost:7890/logs",
    "HTTP://LOCALHOST:7890/",
  ])
    assert.ok(page.is_own(url), url);
  for (const url of [
    "http://localhost:3000/logs",
    "http://localhost:78901/logs",
    "http://localhost:7890.evil.test/logs",
    "http://localhost:7890@evil.test/",
    "https://localhost:7890/",
    "http://[bad",
  ])
    assert.ok(!page.is_own(url), url);
});
