// The public conformance suites against the real binary over HTTP. Nothing is expected to fail.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

import { patience_ms, within } from "./support/deadline.mjs";
import { binary } from "./support/engine.mjs";

// `scenarios` is what each run has at least, so that one that skips everything does not pass.
const runs = [
  { suite: "conformance-0.1", scenarios: 32, args: ["--suite", "all"] },
  { suite: "conformance-0.2", scenarios: 33, args: ["--requirements", "2025-11-25"] },
  { suite: "conformance-0.2", scenarios: 40, args: ["--requirements", "2026-07-28"] },
  { suite: "conformance-0.2", scenarios: 27, args: ["--spec-version", "2025-06-18"] },
  { suite: "conformance-0.2", scenarios: 1, args: ["--spec-version", "2025-03-26"] },
];

// An extension that the engine does not declare; the suite runs these without scoring them.
const is_undeclared_extension = (scenario) => scenario.startsWith("tasks-");

const here = (name) => fileURLToPath(new URL(name, import.meta.url));

let server;
let address;

before(async () => {
  server = spawn(here("conformance-server"), {
    env: { ...process.env, GASOLINE_BIN: binary },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let log = "";
  server.stderr.on("data", (chunk) => (log += chunk));
  const lines = createInterface({ input: server.stdout });
  const [line] = await within(once(lines, "line"), patience_ms, () => `no address; ${log}`);
  assert.match(line, /^http:\/\/localhost:\d+\/mcp$/);
  address = line;
});

after(async () => {
  const ended = once(server, "exit");
  server.kill("SIGTERM");
  const [code] = await within(ended, patience_ms, () => "the server does not stop");
  assert.equal(code, 0);
});

const run_suite = async (suite, args, directory) => {
  const child = spawn(
    process.execPath,
    [here(`node_modules/${suite}/dist/index.js`), "server", "--url", address, ...args].concat([
      "-o",
      directory,
    ]),
    { stdio: ["ignore", "pipe", "pipe"] },
  );
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => (output += chunk));
  const [code] = await once(child, "close");
  return { code, output };
};

// A folder is named `server-SCENARIO-TIME`.
const scenario_of = (folder) => folder.replace(/^server-/, "").replace(/-\d{4}-\d\d-\d\dT.*$/, "");

const checks_in = (directory) =>
  readdirSync(directory).flatMap((folder) =>
    JSON.parse(readFileSync(path.join(directory, folder, "checks.json"), "utf8")).map((check) => ({
      scenario: scenario_of(folder),
      ...check,
    })),
  );

const told = ({ scenario, id, errorMessage, description, details }) =>
  `${scenario}: ${id}: ${errorMessage ?? description}\n    ${JSON.stringify(details).slice(0, 2000)}`;

for (const { suite, scenarios, args } of runs)
  test(`${suite} ${args.join(" ")}`, async (t) => {
    const directory = mkdtempSync(path.join(tmpdir(), "gasoline-conformance-results-"));
    try {
      const { code, output } = await run_suite(suite, args, directory);
      const names = new Set(readdirSync(directory).map(scenario_of));
      const checks = checks_in(directory).filter(
        ({ scenario }) => !is_undeclared_extension(scenario),
      );
      const with_status = (wanted) => checks.filter(({ status }) => status === wanted);
      for (const check of with_status("WARNING")) t.diagnostic(`warning: ${told(check)}`);
      const failures = with_status("FAILURE").map(told);
      assert.deepEqual(failures, [], failures.join("\n"));
      assert.equal(code, 0, output.slice(-4000));
      assert.ok(names.size >= scenarios, `only ${names.size} scenarios ran`);
      assert.ok(with_status("SUCCESS").length >= scenarios, output.slice(-4000));
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });
