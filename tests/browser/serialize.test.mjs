import assert from "node:assert/strict";
import { test } from "node:test";
import { cut, to_argument, to_words } from "../../tools/browser/src/serialize.js";

test("small data is shown whole, however deep", () => {
  let deep = { end: true };
  for (let level = 0; level < 12; level++) deep = { [`level_${level}`]: [deep] };
  assert.deepEqual(to_argument(deep), deep);
  assert.deepEqual(to_argument({ a: { b: [1, 2] } }), { a: { b: [1, 2] } });
});

test("cycles are cut, repeats are not", () => {
  const shared = { x: 1 };
  const value = { first: shared, second: shared, list: [] };
  value.list.push(value);
  assert.deepEqual(to_argument(value), { first: { x: 1 }, second: { x: 1 }, list: ["[Circular]"] });
});

test("size truncates, with a mark and the original size", () => {
  assert.equal(to_argument("x".repeat(10240)), "x".repeat(10240));
  const text = to_argument("x".repeat(10241));
  assert.equal(text, `${"x".repeat(10240)}…[truncated, 10241 bytes]`);
  const big = { rows: Array.from({ length: 10_000 }, (_, i) => ({ i, name: "row" })) };
  const size = Buffer.byteLength(JSON.stringify(big));
  assert.ok(to_argument(big).startsWith('{"rows":[{"i":0,"name":"row"},{"i":1'));
  assert.ok(to_argument(big).endsWith(`…[truncated, ${size} bytes]`));
  assert.equal(cut("é".repeat(10241)).slice(-26), "éé…[truncated, 20482 bytes]".slice(-26));
});

test("a value without end is given up, and the mark says so", () => {
  let doubled = "end";
  for (let level = 0; level < 40; level++) doubled = { left: doubled, right: doubled };
  assert.match(to_argument(doubled), /…\[truncated, over \d+ bytes\]$/);
});

test("nesting that the engine's parser refuses travels as text", () => {
  let deep = "end";
  for (let level = 0; level < 100; level++) deep = [deep];
  assert.equal(to_argument(deep), `${"[".repeat(100)}"end"${"]".repeat(100)}`);
  for (let level = 0; level < 1e5; level++) deep = [deep];
  assert.equal(typeof to_argument(deep), "string");
});

test("values that JSON does not know keep a readable form", () => {
  const cases = [
    [undefined, "undefined"],
    [NaN, "NaN"],
    [12n, "12n"],
    [Symbol("mark"), "Symbol(mark)"],
    [function named() {}, "[Function named]"],
    [new Map([["a", { b: 1 }]]), [["a", { b: 1 }]]],
    [new Set([1, "two"]), [1, "two"]],
    [new Date(0), "1970-01-01T00:00:00.000Z"],
    [/a+/g, "/a+/g"],
    [new URL("http://app.test/x"), "http://app.test/x"],
    [Promise.resolve(), "[Promise]"],
    [new Uint8Array(1e6), "[Uint8Array]"],
    [{ nodeType: 1, nodeName: "DIV", id: "main" }, "<div#main>"],
    [null, null],
    [false, false],
    [0, 0],
  ];
  for (const [value, shown] of cases) assert.deepEqual(to_argument(value), shown);
  assert.deepEqual(to_argument({ nested: [undefined, 1n] }), { nested: ["undefined", "1n"] });
});

test("errors show name, message, stack and their own fields", () => {
  const error = Object.assign(new RangeError("too far"), { code: "E_FAR" });
  const { name, message, stack, code } = to_argument({ error }).error;
  assert.deepEqual([name, message, code], ["RangeError", "too far", "E_FAR"]);
  assert.match(stack, /serialize\.test/);
  assert.equal(to_words(error), "RangeError: too far");
});

test("getters, toJSON and proxies that throw are survived", () => {
  const value = {
    good: 1,
    get bad() {
      throw new Error("no entry");
    },
  };
  assert.deepEqual(to_argument(value), { good: 1, bad: "[Threw: no entry]" });
  const refuses = {
    toJSON: () => {
      throw new Error("not me");
    },
  };
  assert.equal(to_argument(refuses), "[Threw: not me]");
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  assert.match(to_argument({ proxy }), /^\[Threw: /);
  const bad_element = [1];
  Object.defineProperty(bad_element, 0, {
    get: () => {
      throw null;
    },
  });
  assert.equal(to_argument(bad_element), "[Threw: undefined]");
});
