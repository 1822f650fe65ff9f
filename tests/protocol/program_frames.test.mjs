// Stacks of programs lead to their sources where scripts and maps lie on the disk, in a project.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

import { temporary_directory, with_engine } from "./support/engine.mjs";

const map = JSON.stringify({
  version: 3,
  sources: ["../src/server.ts"],
  names: [],
  // The first column of the script's second line is line 7 of the source.
  mappings: ";AAMA",
});

const write = (root, name, text) => {
  mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
  writeFileSync(path.join(root, name), text);
};

const make_program = (root) => {
  write(root, "package.json", "{}");
  write(root, "dist/server.js", "x;\nfail();\n//# sourceMappingURL=server.js.map\n");
  write(root, "dist/server.js.map", map);
  return path.join(root, "dist/server.js");
};

const error_of = (message, script) => ({
  level: "error",
  type: "exception",
  message,
  stack: `Error: ${message}\n    at handle (${script}:2:5)\n    at node:internal/main:1:1`,
});

const stack_told = async (engine, message, script, headers) => {
  await engine.post("/logs", { entries: [error_of(message, script)] }, headers);
  const { items } = await engine.observe({ what: "errors" });
  return items.find((item) => item.message == message).stack;
};

test("frames of a program lead to its sources, as paths and as addresses", async () => {
  const root = temporary_directory();
  const script = make_program(root);
  await with_engine(async (engine) => {
    const source = path.join(root, "src/server.ts");
    for (const [message, named] of [
      ["by path", script],
      ["by address", `file://${script}`],
    ])
      assert.ok(
        (await stack_told(engine, message, named)).startsWith(`at handle (${source}:7:1)`),
        message,
      );
  });
});

test("a page never has a file read, and neither has a program that is no project's", async () => {
  const root = temporary_directory();
  const script = make_program(root);
  const outside = temporary_directory();
  write(outside, "server.js", "x;\nfail();\n//# sourceMappingURL=server.js.map\n");
  write(outside, "server.js.map", map);
  await with_engine(async (engine) => {
    const page = { origin: "http://localhost:5173" };
    const told = await stack_told(engine, "of a page", `file://${script}`, page);
    assert.ok(told.includes("dist/server.js:2:5"), told);
    const stranger = await stack_told(engine, "of a stranger", path.join(outside, "server.js"));
    assert.ok(stranger.includes("server.js:2:5"), stranger);
  });
});

test("a script that is changed and told of again is read again", async () => {
  const root = temporary_directory();
  const script = make_program(root);
  const config = path.join(temporary_directory(), "config.json");
  writeFileSync(config, JSON.stringify({ limits: { frames_fresh_ms: 0 } }));
  await with_engine(async (engine) => {
    await stack_told(engine, "before", script);
    write(root, "dist/server.js.map", map.replace(";AAMA", ";AAOA"));
    const source = path.join(root, "src/server.ts");
    assert.ok((await stack_told(engine, "after", script)).startsWith(`at handle (${source}:8:1)`));
  }, { args: ["--config", config] });
});
