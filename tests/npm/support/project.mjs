// A project on disk with the packages of a folder of these tests, and what is started in it.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { wait_until } from "../../browser/support/wait_until.mjs";

export { free_port } from "../../browser/support/free_port.mjs";

const patience_ms = 60_000;

// `files` are texts by path; `folder` has the node_modules.
export const make_project = (folder, files) => {
  mkdirSync(join(folder, "work"), { recursive: true });
  const root = mkdtempSync(join(folder, "work", "project-"));
  const write = (path, text) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  for (const [path, text] of Object.entries(files)) write(path, text);
  const read = (path) => readFileSync(join(root, path), "utf8");
  const remove = () => rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  return { root, write, read, remove };
};

// The environment of a program that knows no engine but the one of `state_dir`.
export const environment = (state_dir, more) => ({
  PATH: process.env.PATH,
  HOME: state_dir,
  GASOLINE_STATE_DIR: state_dir,
  NEXT_TELEMETRY_DISABLED: "1",
  NO_COLOR: "1",
  ...more,
});

// Runs node with these arguments. `end()` resolves to { code, signal, out, err, ms }.
export const start_node = (args, { cwd, env }) => {
  const begin = performance.now();
  const child = spawn(process.execPath, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  let out = "";
  let err = "";
  child.stdout.on("data", (piece) => (out += piece));
  child.stderr.on("data", (piece) => (err += piece));
  const ended = new Promise((resolve) =>
    child.on("close", (code, signal) =>
      resolve({ code, signal, out, err, ms: performance.now() - begin }),
    ),
  );
  const stop = () => {
    child.kill();
    return ended;
  };
  return { ended, stop, output: () => out + err };
};

// Starts a development server and resolves when it answers at its origin.
export const start_server = async (args, options, port) => {
  const server = start_node(args, options);
  const origin = `http://localhost:${port}`;
  let has_ended = false;
  server.ended.then(() => (has_ended = true));
  await wait_until(
    async () => has_ended || (await fetch(origin).catch(() => undefined)),
    server.output,
    patience_ms,
  );
  if (has_ended) throw new Error(`It has ended: ${server.output()}`);
  return { ...server, origin };
};
