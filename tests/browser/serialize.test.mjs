import assert from "node:assert/strict";
import { test } from "node:test";
import { pass_time } from "./support/hand_clock.mjs";
import { cut, open_budget, to_argument, to_words } from "../../tools/page_script/src/serialize.js";

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

test("size ends the walk, with a mark that says how much there was", () => {
  assert.equal(to_argument("x".repeat(10240)), "x".repeat(10240));
  const text = to_argument("x".repeat(10241));
  assert.equal(text, `${"x".repeat(10000)}…[truncated, 10241 bytes]`);
  const big = { rows: Array.from({ length: 10_000 }, (_, i) => ({ i, name: "row" })) };
  const start = '{"rows":[{"i":0,"name":"row"},{"i":1';
  assert.ok(to_argument(big).startsWith(start));
  assert.ok(to_argument(big).endsWith("…[truncated, more than 10000 bytes; list of 10000]"));
  assert.equal(cut("é".repeat(10241)).slice(-26), "éé…[truncated, 20482 bytes]".slice(-26));
});

test("a value without end is given up, and the mark says so", () => {
  let doubled = "end";
  for (let level = 0; level < 40; level++) doubled = { left: doubled, right: doubled };
  assert.match(to_argument(doubled), /…\[truncated, more than \d+ bytes\]$/);
  const endless = () =>
    new Proxy(
      {},
      {
        ownKeys: () => ["more"],
        getOwnPropertyDescriptor,
        get: (_, name) => (name == "more" ? endless() : undefined),
      },
    );
  const getOwnPropertyDescriptor = () => ({ enumerable: true, configurable: true });
  assert.match(to_argument(endless()), /^\{"more":\{"more":.*…\[truncated, more than \d+ bytes\]$/);
  const counter = {
    *[Symbol.iterator]() {
      for (let i = 0; ; i++) yield i;
    },
  };
  assert.deepEqual(to_argument(counter), {});
});

// The clock stands still, so that only the bounds on size are at work.
test("only what is shown of a large value is looked at", () => {
  const by_id = [];
  by_id[123456789] = { name: "ann" };
  const looked_at = (value) => {
    let reads = 0;
    const watched = new Proxy(value, {
      get: (target, name) => {
        if (typeof name == "string" && name >= "0") reads++;
        return Reflect.get(target, name);
      },
    });
    return [to_argument(watched), () => reads];
  };
  assert.deepEqual(to_argument(by_id), ["[mostly empty list of 123456790]", { name: "ann" }]);
  const [ones, reads] = looked_at(new Array(5e6).fill(1));
  assert.match(ones, /^\[1,1,1,.*…\[truncated, more than \d+ bytes; list of 5000000\]$/);
  assert.ok(reads() < 6000, `${reads()}`);
  const entries = Array.from({ length: 1e5 }, (_, i) => [`key ${i}`, i]);
  assert.match(to_argument(new Map(entries)), /list of 100000\]$/);
  assert.match(to_argument(new Set(entries)), /list of 100000\]$/);
  assert.match(to_argument(Object.fromEntries(entries)), /object of 100000\]$/);
  assert.equal(to_argument(new Float64Array(1e7)), "[Float64Array(10000000)]");
  assert.match(to_argument({ text: "é".repeat(1e7) }), /text of 10000000\]$/);
  assert.match(to_argument("é".repeat(1e7)), /more than 10000000 bytes\]$/);
  assert.deepEqual(to_argument([1, , , 4, ,]), [1, "[2 empty]", 4, "[1 empty]"]);
  assert.deepEqual(to_argument(new Array(3e7)), ["[mostly empty list of 30000000]"]);
});

test("values that take long are given up", () => {
  const slow = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`key_${i}`, i]));
  let reads = 0;
  const watched = new Proxy(slow, {
    get: (target, name) => {
      pass_time(5);
      reads++;
      return target[name];
    },
  });
  assert.match(to_argument(watched), /…\[truncated, more than \d+ bytes; object of 1000\]$/);
  assert.ok(reads < 20, `${reads}`);
});

test("the values of one call share what there is", () => {
  const budget = open_budget();
  const texts = Array.from({ length: 50 }, () => to_argument("x".repeat(5000), budget));
  assert.ok(texts.join("").length < 25_000);
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
    [new Uint8Array(1e6), "[Uint8Array(1000000)]"],
    [new ArrayBuffer(8), "[ArrayBuffer(8)]"],
    [new Date(NaN), "Invalid Date"],
    [Object(5), "5"],
    [new (class Special extends Map {})([[1, 2]]), [[1, 2]]],
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
  assert.match(to_argument({ proxy }).proxy, /^\[Threw: /);
  const bad_element = [1];
  Object.defineProperty(bad_element, 0, {
    get: () => {
      throw null;
    },
  });
  assert.deepEqual(to_argument(bad_element), ["[Threw: undefined]"]);
});
