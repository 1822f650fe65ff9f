// What large values cost the page that logs them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { watched_page } from "./support/watched_page.mjs";

const web = watched_page();

// With a driver at the other end, the browser's own console is what takes long.
const silence_console = () => web.page.addInitScript(() => (console.log = () => {}));

// How long a call holds the page, in ms.
const held_by = async (make) => {
  await silence_console();
  await web.open_with();
  await web.settle();
  return web.page.evaluate((text) => {
    const value = eval(text);
    const timed = () => {
      const start = performance.now();
      console.log("held", value);
      return performance.now() - start;
    };
    // The least of some, since other programs use the machine as well.
    return Math.min(timed(), timed(), timed());
  }, make);
};

const large_values = [
  [
    "(() => { const by_id = []; by_id[123456789] = { name: 'ann' }; return by_id; })()",
    "[mostly empty list of 123456790]",
  ],
  ["new Array(5e6).fill(1)", "list of 5000000"],
  ["new Array(5e6)", "[mostly empty list of 5000000]"],
  ["Object.assign(new Array(3e5).fill(0), { [299999]: {} })", "list of 300000"],
  ["new Float64Array(5e6)", "[Float64Array(5000000)]"],
  ["new Map(Array.from({ length: 5e5 }, (_, i) => [i, { i }]))", "list of 500000"],
  ["new Set(Array.from({ length: 5e5 }, (_, i) => 'item ' + i))", "list of 500000"],
  ["'é'.repeat(2e6)", "more than 2000000 bytes"],
  ["({ deep: { text: 'x'.repeat(2e6) } })", "text of 2000000"],
  ["new URLSearchParams('a=1&'.repeat(2e4))", '["a","1"]'],
  ["document.querySelectorAll('*')", "<html>"],
];

for (const [make, shown] of large_values) {
  test(`a large value costs what is shown of it: ${make}`, async () => {
    const ms = await held_by(make);
    assert.ok(ms < 40, `${ms} ms`);
    const { message } = await web.log(({ message: text }) => text.startsWith("held"));
    assert.ok(message.includes(shown), message.slice(-200));
  });
}

test("an object of many names is listed once", async () => {
  await silence_console();
  await web.open_with();
  const [first, again] = await web.page.evaluate(() => {
    const names = {};
    for (let i = 0; i < 5e5; i++) names[`key ${i}`] = i;
    const timed = () => {
      const start = performance.now();
      console.log("held", names);
      return performance.now() - start;
    };
    return [timed(), timed()];
  });
  // A browser lists all names or none.
  assert.ok(first < 2000, `${first} ms`);
  assert.ok(again < 40, `${again} ms`);
  const { message } = await web.log(({ message: text }) => text.startsWith("held"));
  assert.match(message, /object of 500000\]$/);
});
