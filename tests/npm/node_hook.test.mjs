// The hook in real programs: what it tells, and that they end as they would without it.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { environment, free_port, make_project, start_node } from "./support/project.mjs";
import { start_telling_engine } from "./support/told.mjs";

const skip = process.env.GASOLINE_BIN ? false : "GASOLINE_BIN is not set";

const programs = {
  "throws.mjs": `const pay = (cart) => {\n  throw new TypeError("no price in " + cart);\n};\npay("cart 1");\n`,
  "throws_text.mjs": `throw "only words";\n`,
  "rejects.mjs": `const pay = async () => {\n  throw new RangeError("card 2 is too old");\n};\npay();\n`,
  "rejects_handled.mjs":
    `process.on("unhandledRejection", () => console.log("seen"));\n` +
    `Promise.reject(new Error("nobody waits 3"));\n`,
  "handles.mjs":
    `process.on("uncaughtException", (error) => {\n  console.log("caught", error.message);\n  process.exitCode = 3;\n});\n` +
    `setTimeout(() => console.log("goes on"), 10);\nthrow new Error("handled 4");\n`,
  "logs.mjs": `console.error("paying failed:", new Error("card 5 declined", { cause: new Error("limit") }));\nconsole.error("only words");\n`,
  "exits.mjs": `console.error(new Error("the end 6"));\nprocess.exit(7);\n`,
  "fine.mjs": `console.log("fine");\n`,
  "cannot_be_read.mjs": `const a = 1;\nconst b = = 2;\n`,
  "common.cjs": `require("node:fs").readFileSync("/there/is/no 8");\n`,
  "worker.mjs":
    `import { Worker, isMainThread } from "node:worker_threads";\n` +
    `if (isMainThread) new Worker(new URL(import.meta.url)).on("error", () => console.log("worker ended"));\n` +
    `else throw new Error("in a worker 9");\n`,
};

// What is told of each: in the message, and where. Nothing: it is silent.
const tellings = {
  "throws.mjs": ["Uncaught TypeError: no price in cart 1", 2],
  "throws_text.mjs": ["Uncaught 'only words'"],
  "rejects.mjs": ["Uncaught RangeError: card 2 is too old", 2],
  "rejects_handled.mjs": ["Unhandled rejection: Error: nobody waits 3", 2],
  "handles.mjs": ["Uncaught Error: handled 4", 6],
  "logs.mjs": ["paying failed: Error: card 5 declined", 1],
  "exits.mjs": ["Error: the end 6", 1],
  "fine.mjs": undefined,
  "common.cjs": ["Uncaught Error: ENOENT", 1],
  "worker.mjs": ["Uncaught Error: in a worker 9", 3],
};

const hook = ["--import", "gasoline-telemetry/node"];
// With any module that is preloaded, Node.js starts a program by another way.
const no_hook = ["--import", "data:text/javascript,"];
const project = make_project(import.meta.dirname, programs);
after(project.remove);

const run = (args, env) => start_node(args, { cwd: project.root, env }).ended;

// How it ends, whoever it is.
const end_of = ({ code, signal, out, err }) => ({ code, signal, out, err });

describe("with an engine", { skip }, () => {
  let engine;
  before(async () => (engine = await start_telling_engine()));
  after(() => engine?.leave());

  for (const name of Object.keys(programs))
    test(`${name} is told, and ends as ever`, async () => {
      const env = environment(engine.state_dir);
      const plain = await run([...no_hook, name], env);
      assert.deepEqual(end_of(await run([...hook, name], env)), end_of(plain));
      const told = tellings[name];
      if (!told) return;
      const [message, line] = told;
      const item = await engine.error_with(message);
      assert.equal(item.count ?? 1, 1, "once");
      if (!line) return;
      assert.deepEqual([item.filename, item.lineno], [join(project.root, name), line]);
    });

  test("an alert says where", async () => {
    const all = JSON.stringify(engine.notifications());
    assert.match(all, /no price in cart 1/);
    assert.match(all, /throws\.mjs:2/);
  });
});

describe("without an engine", { skip }, () => {
  test("nothing differs, with a port file of a dead one as well", async () => {
    const state = make_project(import.meta.dirname, {});
    const env = environment(state.root);
    try {
      for (const port of ["", `${await free_port()}\n`]) {
        if (port) state.write("port", port);
        for (const name of ["throws.mjs", "rejects.mjs", "logs.mjs", "exits.mjs", "fine.mjs"]) {
          const plain = await run([...no_hook, name], env);
          assert.deepEqual(end_of(await run([...hook, name], env)), end_of(plain), name);
        }
      }
    } finally {
      state.remove();
    }
  });
});
