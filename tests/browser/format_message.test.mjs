import assert from "node:assert/strict";
import { test } from "node:test";
import { format_message } from "../../tools/page_script/src/format_message.js";

const cases = [
  [["plain"], "plain"],
  [["100%", "done"], "100% done"],
  [["%s has %d%%", "disk", 5], "disk has 5%"],
  [["%cred", "color: red"], "red"],
  [["%o and %O", { a: 1 }, [2]], '{"a":1} and [2]'],
  [["%s %s", "only one"], "only one %s"],
  [["%s"], "%s"],
  [["more", { a: { b: 1 } }, 7, null], 'more {"a":{"b":1}} 7 null'],
  [[{ a: 1 }, "%s"], '{"a":1} %s'],
  [[new TypeError("bad")], "TypeError: bad"],
  [[], "undefined"],
];

test("messages read as in a console", () => {
  for (const [args, message] of cases) assert.equal(format_message(args), message);
});
