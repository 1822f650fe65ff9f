import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { wait_until } from "./wait_until.mjs";

const read_port = (state_dir) => {
  try {
    return Number(readFileSync(join(state_dir, "port"), "utf8"));
  } catch {
    return 0;
  }
};

// Starts `program mcp` as an editor does, with more arguments, and completes the handshake.
export const start_real_engine = async (program, ...more) => {
  const state_dir = mkdtempSync(join(tmpdir(), "gasoline-state-"));
  const child = spawn(program, ["mcp", "--port", "0", "--state-dir", state_dir, ...more], {
    stdio: ["pipe", "pipe", "ignore"],
  });
  const exit = new Promise((resolve) => child.on("exit", resolve));
  // A test that fails leaves its engine; it must not hold up the end of the others.
  for (const held of [child, child.stdin, child.stdout]) held.unref();
  process.on("exit", () => child.kill("SIGKILL"));
  const lines = [];
  createInterface({ input: child.stdout }).on("line", (line) => lines.push(JSON.parse(line)));
  let calls = 0;

  const send = (message) =>
    child.stdin.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n");

  // A tool may wait for a page as long as the engine lets it.
  const longest_answer_ms = 60_000;

  const request = (method, params) => {
    const id = ++calls;
    send({ id, method, params });
    return wait_until(
      () => lines.find((line) => line.id === id),
      () => `no answer to ${method}`,
      longest_answer_ms,
    );
  };

  const call_tool = async (name, args) => {
    const answer = await request("tools/call", { name, arguments: args });
    return { ...answer.result, text: answer.result?.content.map(({ text }) => text).join("\n") };
  };

  const notifications = () =>
    lines.filter(({ method }) => method == "notifications/message").map(({ params }) => params);

  // Ends the client's side. Resolves to the exit code.
  const leave = async () => {
    for (const held of [child, child.stdin, child.stdout]) held.ref();
    child.stdin.end();
    const code = await exit;
    rmSync(state_dir, { recursive: true });
    return code;
  };

  await request("initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "browser-tests", version: "1" },
  });
  send({ method: "notifications/initialized" });
  const port = await wait_until(
    () => read_port(state_dir),
    () => "no port file",
  );
  return { origin: `http://127.0.0.1:${port}`, state_dir, call_tool, notifications, leave };
};
