// Whether an alert reaches the model of real agents, where, once, and at what price.
//   node tests/clients/run.mjs [--install] [--long] [NAME…]
// GASOLINE_BIN names the program, GASOLINE_CLIENTS the folder where agents are installed.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

import { agents } from "./agents.mjs";
import { client_run, field_of } from "./client_run.mjs";
import { offer_of, shown_of } from "./offer.mjs";
import { sleep, toolsOf } from "./scripted_model.mjs";

const cache =
  process.env.GASOLINE_CLIENTS ??
  path.join(
    process.env.XDG_CACHE_HOME ?? path.join(process.env.HOME ?? "/tmp", ".cache"),
    "gasoline-clients",
  );

const install_package = (folder, what) => {
  const directory = path.join(cache, folder);
  if (existsSync(path.join(directory, "node_modules"))) return directory;
  mkdirSync(directory, { recursive: true });
  writeFileSync(path.join(directory, "package.json"), '{"private":true}');
  const done = spawnSync("npm", ["install", "--no-audit", "--no-fund", what], {
    cwd: directory,
    encoding: "utf8",
  });
  if (done.status !== 0) throw new Error(`npm install ${what}: ${done.stderr.slice(-400)}`);
  return directory;
};

const install = (agent) => {
  const bins = path.join(
    install_package(agent.name, `${agent.package}@${agent.version}`),
    "node_modules/.bin",
  );
  const is_old = Number.parseInt(process.versions.node, 10) < 22;
  const node =
    agent.wants_node_22 && is_old
      ? path.join(install_package("node22", "node@22"), "node_modules/node/bin")
      : path.dirname(process.execPath);
  return {
    bin: path.join(bins, agent.bin),
    path: [node, bins],
    plugin: agent.plugin_package && install_package(`${agent.name}-plugin`, agent.plugin_package),
  };
};

let marks = 0;
const new_mark = () =>
  `mark${Date.now().toString(36)}${(marks += 1)}`.replace(/\d/g, (d) => "abcdefghij"[d]);

// The first request that has the mark has it once, in one field, and later ones say nothing anew:
// they repeat the conversation, so the mark stays one.
const check_once = (run, mark) => {
  const seen = run.find(mark);
  assert.ok(seen.length > 0, "the alert reached no request");
  const per_request = new Map();
  for (const one of seen)
    per_request.set(one.request, (per_request.get(one.request) ?? 0) + one.lines.length);
  for (const [request, lines] of per_request)
    assert.equal(lines, 1, `request ${request} tells the alert ${lines} times`);
  return seen[0];
};

// A page breaks between two calls of the model: the alert is in the next request, once, in the field
// that the agent has for it, and the block of a later `observe` does not tell it again.
const by_hook = async (agent, installed) => {
  const run = new client_run(agent, installed);
  const mark = new_mark();
  try {
    await run.go([
      { text: "Working.", shell: "echo hello" },
      { shell: "echo again; sleep 1", before: () => run.fault(mark) },
      { shell: "echo more" },
      { tool: "observe", args: { what: "actions" } },
      { text: "All done." },
    ]);
    assert.equal(run.code, 0, run.stderr.slice(-600));
    const told = check_once(run, mark);
    assert.ok(told.step >= 2 && told.step <= 3, `first told before step ${told.step}`);
    assert.equal(told.field, agent.field);
    return told;
  } finally {
    run.clean();
  }
};

// The block on the result of `observe`, where nothing came between; and what the model is shown of that
// tool: the sentence that says when to call it stands in what it reads before it calls anything.
const by_block = async (agent, installed) => {
  const run = new client_run(agent, installed);
  const mark = new_mark();
  let offer;
  try {
    await run.go([
      {
        text: "Working.",
        shell: "echo hello",
        before: async () => (offer = await offer_of(await run.port())),
      },
      { tool: "observe", args: { what: "actions" }, before: () => run.fault(mark) },
      { shell: "echo more" },
      { text: "All done." },
    ]);
    assert.equal(run.code, 0, run.stderr.slice(-600));
    const told = check_once(run, mark);
    assert.equal(told.field, "tool result");
    const shown = shown_of(offer, run.model.requests, toolsOf, field_of);
    const rule = offer.description.slice(0, offer.description.indexOf(".") + 1);
    assert.ok(shown.first?.bytes >= Buffer.byteLength(rule), "the model is not told when to call it");
    return { ...told, shown };
  } finally {
    run.clean();
  }
};

// Two hundred calls with thirty alerts: each is told once.
const long_conversation = async (agent, installed) => {
  const run = new client_run(agent, installed);
  const told = [];
  const script = Array.from({ length: 200 }, (_, n) => ({
    shell: `echo ${n}`,
    before: async () => {
      if (n % 6 !== 3 || told.length === 30) return;
      told.push(new_mark());
      await run.fault(told.at(-1));
    },
  }));
  try {
    await run.go([...script, { text: "All done." }], { timeout_ms: 900_000 });
    assert.equal(told.length, 30);
    return told.reduce((sum, mark) => sum + check_once(run, mark).bytes, 0) / told.length;
  } finally {
    run.clean();
  }
};

const part = (shown, of) =>
  shown ? `${shown.bytes === of ? of : `${shown.bytes} of ${of}`}, ${shown.field}` : "none";

// A row of the second table: description, schema and limits, instructions.
const offer_row = ({ first, later, instructions, schema, of }) => {
  const whole = later.bytes > first.bytes ? `; after a search ${part(later, of.description)}` : "";
  const limits = schema && `${schema.limits} of ${of.limits}`;
  const listed = schema ? `${schema.bytes} (of ${of.schema})` : "after the search";
  return [
    part(first, of.description) + whole,
    listed,
    limits ?? `${of.limits} of ${of.limits}`,
    part(instructions, of.instructions),
  ];
};

const price = ({ bytes, field }) => `${bytes} (${Math.ceil(bytes / 4)}) ${field}`;

const args = process.argv.slice(2);
const names = args.filter((word) => !word.startsWith("--"));
const chosen = names.length === 0 ? agents : agents.filter(({ name }) => names.includes(name));
const offers = [];
let failed = 0;
console.log("| agent | by a hook: bytes (tokens), where | by the block on `observe` |");
console.log("|---|---|---|");
for (const agent of chosen) {
  try {
    const installed = install(agent);
    if (args.includes("--install")) continue;
    const hook = await by_hook(agent, installed);
    const block = await by_block(agent, installed);
    console.log(`| ${agent.title} ${agent.version} | ${price(hook)} | ${price(block)} |`);
    offers.push([`${agent.title} ${agent.version}`, ...offer_row(block.shown)]);
    if (args.includes("--long"))
      console.log(`${agent.title}: ${await long_conversation(agent, installed)} bytes an alert`);
  } catch (problem) {
    failed += 1;
    console.log(
      `| ${agent.title} ${agent.version} | failed: ${problem.message.split("\n")[0]} | |`,
    );
    if (process.env.GASOLINE_KEEP_RUNS) console.error(problem.stack);
  }
  await sleep(100);
}
if (offers.length > 0) {
  console.log("\n| agent | description of `observe`: bytes, where | schema: bytes | limits | instructions |");
  console.log("|---|---|---|---|---|");
  for (const row of offers) console.log(`| ${row.join(" | ")} |`);
}
process.exitCode = failed === 0 ? 0 : 1;
