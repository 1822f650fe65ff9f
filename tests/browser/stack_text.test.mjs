import assert from "node:assert/strict";
import { test } from "node:test";
import { shorten_stack, top_frame, whole_stack } from "../../tools/page_script/src/stack_text.js";

test("a giant stack keeps its first frames and a count", () => {
  const frames = Array.from(
    { length: 5000 },
    (_, i) => `    at f (http://app.test/main.js:1:${i})`,
  );
  const lines = shorten_stack(["Error: deep", ...frames].join("\n")).split("\n");
  assert.equal(lines.length, 51);
  assert.equal(lines[0], "Error: deep");
  assert.equal(lines[50], "… 4951 more frames");
});

test("one giant line is cut", () => {
  assert.ok(shorten_stack("x".repeat(1e6)).length < 10_300);
});

test("the top frame is found in the stacks of all browsers", () => {
  const chrome =
    "Error: x\n    at f (http://app.test/@lib/a.js:3:14)\n    at http://app.test/b.js:1:1";
  const chrome_plain = "Error: at 12:30:45\n    at http://app.test/b.js?v=1:2:3";
  const firefox = "f@http://app.test/@lib/a.js:5:6\n@http://app.test/b.js:1:1";
  assert.deepEqual(top_frame(chrome), {
    filename: "http://app.test/@lib/a.js",
    lineno: 3,
    colno: 14,
  });
  assert.deepEqual(top_frame(chrome_plain), {
    filename: "http://app.test/b.js?v=1",
    lineno: 2,
    colno: 3,
  });
  assert.deepEqual(top_frame(firefox), {
    filename: "http://app.test/@lib/a.js",
    lineno: 5,
    colno: 6,
  });
  assert.equal(top_frame(undefined), null);
});

test("causes follow the stack, and a circle of causes ends", () => {
  const error = { stack: "Error: outer", cause: { stack: "Error: inner" } };
  assert.equal(whole_stack(error), "Error: outer\nCaused by: Error: inner");
  error.cause.cause = error;
  assert.equal(whole_stack(error).split("Caused by").length, 5);
  assert.equal(whole_stack("text"), "");
});
