// Whatever a page logs: the text is JSON, it is bounded, no more is looked at than is shown, and
// nothing is thrown. Time is virtual: each part may take as long as it likes.
import assert from "node:assert/strict";
import { test } from "node:test";
import { pass_time } from "./support/hand_clock.mjs";
import fc from "fast-check";
import { describe, open_budget, to_words } from "../../tools/page_script/src/serialize.js";
import { read_arguments } from "../../tools/page_script/src/format_message.js";

const text_limit = 10240;
const mark_chars = 100;
const parts_limit = 8000;

let parts_read = 0;

// An object whose members are told to be slow, to throw, to log, or to lead back to itself.
const awkward = (members) => {
  const object = {};
  for (const [name, { kind, value, ms }] of Object.entries(members)) {
    Object.defineProperty(object, name, {
      enumerable: true,
      configurable: true,
      get: () => {
        parts_read++;
        pass_time(ms);
        if (kind == "throws") throw value;
        if (kind == "self") return object;
        if (kind == "endless") return awkward(members);
        return value;
      },
    });
  }
  return object;
};

const leaf = fc.oneof(
  fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withSet: true,
    withTypedArray: true,
    withSparseArray: true,
    withNullPrototype: true,
  }),
  fc.string({ maxLength: 20_000, size: "max" }),
  fc.integer({ min: 0, max: 2 ** 32 - 1 }).map((length) => new Array(length)),
  fc.constantFrom(
    Symbol("x"),
    () => 1,
    new Error("e"),
    new URL("http://a.test"),
    new Event("e"),
    NaN,
  ),
);

const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { weight: 3, arbitrary: leaf },
    tie("list"),
    tie("object"),
    tie("error"),
    tie("event"),
  ),
  list: fc.array(tie("any"), { maxLength: 50 }),
  object: fc
    .dictionary(
      fc.string(),
      fc.record({
        kind: fc.constantFrom("plain", "plain", "throws", "self", "endless"),
        value: tie("any"),
        ms: fc.constantFrom(0, 0, 0, 0.01, 0.4, 50),
      }),
      { maxKeys: 20 },
    )
    .map(awkward),
  error: fc
    .record({
      message: fc.string(),
      cause: tie("any"),
      errors: fc.array(tie("any"), { maxLength: 8 }),
    })
    .map(({ message, cause, errors }) =>
      Object.assign(new AggregateError(errors, message, { cause }), { cause }),
    ),
  event: tie("any").map((detail) => {
    const event = new CustomEvent("custom", { detail });
    if (detail instanceof Object) attempt_set(detail, event);
    return event;
  }),
})).any;

const attempt_set = (object, event) => {
  try {
    object.back = event;
  } catch {}
};

const depth_of = (item) =>
  item instanceof Object ? 1 + Math.max(0, ...Object.values(item).map(depth_of)) : 0;

test("any value becomes bounded JSON", () => {
  fc.assert(
    fc.property(value, (item) => {
      parts_read = 0;
      const { argument, words } = describe(item);
      const text = JSON.stringify(argument);
      const is_text = typeof argument == "string";
      assert.ok(is_text ? argument.length <= text_limit + mark_chars : text.length <= text_limit);
      assert.ok(depth_of(argument) <= 64);
      assert.equal(typeof words, "string");
      assert.ok(parts_read <= parts_limit, `${parts_read} parts`);
    }),
    { numRuns: 100 },
  );
});

test("any list of arguments becomes one bounded message", () => {
  const call = fc.array(fc.oneof(value, fc.constantFrom("%s %d %o", "%c%s", "%%", "%")), {
    maxLength: 60,
  });
  fc.assert(
    fc.property(call, (args) => {
      const { message, args: shown } = read_arguments(args);
      assert.ok(message.length <= text_limit + mark_chars);
      assert.ok(JSON.stringify(shown).length < 20 * text_limit);
      assert.ok(shown.length <= 51);
    }),
    { numRuns: 60 },
  );
});

test("the time of a call is bounded, however long each part takes", () => {
  const part_ms = fc.array(fc.double({ min: 0, max: 20, noNaN: true }), { minLength: 1 });
  fc.assert(
    fc.property(part_ms, (durations) => {
      const start = performance.now();
      let reads = 0;
      const slow = new Proxy(Array(1e5).fill(1), {
        get: (target, name) => {
          const ms = durations[reads++ % durations.length];
          if (typeof name == "string") pass_time(ms);
          return target[name];
        },
      });
      describe(slow, open_budget());
      const longest = Math.max(...durations);
      const counted = durations.map((ms) => Math.min(ms, 0.5));
      const mean = counted.reduce((sum, ms) => sum + ms) / counted.length;
      // What one look at the clock finds counts for 0.5 ms at most, and it looks at every eighth.
      const parts = mean > 0 ? 8 * (1.5 / mean + durations.length + 2) : parts_limit;
      assert.ok(performance.now() - start <= parts * longest + 1);
    }),
  );
});

test("words never throw", () => {
  fc.assert(
    fc.property(value, (item) => assert.equal(typeof to_words(item), "string")),
    { numRuns: 50 },
  );
});
