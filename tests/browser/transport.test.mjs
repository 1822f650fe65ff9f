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
      ["http://localhost:7890/logs?token=a-b_c", "http://localhost:7890/network-bodies?token=a-b_c"],
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
  await page.pass(0);
  assert.equal(page.posts[0].body.entries.length, 50);
});

with_page("a batch stays small enough for keep-alive", taken, async (page) => {
  for (let n = 0; n < 9; n++) page.report("logs", { n, text: "x".repeat(9000) });
  await page.hide();
  assert.deepEqual(page.posts.map(numbers), [
    [0, 1, 2],
    [3, 4, 5],
    [6, 7, 8],
  ]);
  assert.ok(page.posts.every(({ options }) => options.keepalive));
});

with_page("an entry larger than a batch leaves alone", taken, async (page) => {
  page.report("logs", { n: 0, text: "x".repeat(50_000) });
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
  assert.equal(await asked_after(100), 2);
  assert.equal(await asked_after(999), 2);
  assert.equal(await asked_after(1), 3);
  assert.equal(await asked_after(2000), 4);
  assert.equal(await asked_after(29_999), 4);
  page.report("logs", { n: 2 });
  await page.hide();
  assert.equal(await asked_after(0), 4);
  assert.equal(await asked_after(1), 5);
  assert.equal(await asked_after(30_000), 6);
});

let absent = true;
with_page(
  "when the engine is back, it gets what waited, in order",
  () => (absent ? refused() : answer_of(200)),
  async (page) => {
    page.report("logs", { n: 0 });
    await page.pass(100);
    page.report("logs", { n: 1 });
    absent = false;
    await page.pass(1000);
    assert.deepEqual(numbers(page.posts[1]), [0, 1]);
    page.report("logs", { n: 2 });
    await page.pass(100);
    assert.deepEqual(numbers(page.posts[2]), [2]);
  },
);

let full = true;
with_page(
  "the queue is bounded, and the engine learns how much was lost",
  () => (full ? refused() : answer_of(200)),
  async (page) => {
    page.report("logs", { n: -1 });
    await page.pass(100);
    for (let n = 0; n < 1500; n++) page.report("logs", { n });
    full = false;
    page.posts.length = 0;
    await page.pass(1000);
    await page.pass(100);
    await page.pass(100);
    const entries = page.posts.flatMap(({ body }) => body.entries);
    assert.equal(entries[0].n, 500);
    assert.equal(entries.filter(({ n }) => n >= 0).length, 1000);
    assert.equal(entries.at(-1).message, "gasoline: 501 entries lost");
  },
);

let answers = [answer_of(429, { "Retry-After": "7" }), answer_of(200)];
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
    assert.deepEqual(numbers(page.posts[1]), [0]);
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

with_page("a stopped transport is silent and takes no more", taken, async (page) => {
  page.report("logs", { n: 0 });
  page.stop_transport();
  page.report("logs", { n: 1 });
  await page.pass(60_000);
  assert.equal(page.posts.length, 0);
});

with_page("the engine's own URLs are known", taken, async (page) => {
  assert.ok(page.is_own("http://localhost:7890/logs"));
  assert.ok(!page.is_own("http://localhost:3000/logs"));
});
