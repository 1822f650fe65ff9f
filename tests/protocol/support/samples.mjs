// Bodies of the ingest routes, in their smallest useful shape.
let serial = 0;
export const unique = () => `${(serial += 1).toString(36)}q${process.pid.toString(36)}`;

export const exception = (message, more = {}) => ({
  entries: [{ type: "exception", level: "error", message, ...more }],
});

export const console_entry = (message, level = "log") => ({ type: "console", level, message });

export const ci_failure = (more = {}) => ({
  status: "failure",
  source: "github-actions",
  ref: "main",
  commit: unique(),
  summary: "12 passed, 2 failed",
  failures: [{ name: "test_login", message: "Expected 200, got 401" }],
  ...more,
});

// Letters that make every message a different fault, since digits are taken for ids.
export const word = (n) =>
  [...String(n)].map((digit) => "qwrtpsdfgh"[Number(digit)]).join("") + "zz";
