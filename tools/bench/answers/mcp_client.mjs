// A client of an MCP server that is started here, over stdio.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

export const start_client = async (command, args, env = {}) => {
  const child = spawn(command, args, {
    env: { ...process.env, ...env },
    stdio: ["pipe", "pipe", "ignore"],
  });
  const waiting = new Map();
  let last_id = 0;
  const write = (message) =>
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

  createInterface({ input: child.stdout }).on("line", (line) => {
    const message = JSON.parse(line);
    if (message.method) return;
    waiting.get(message.id)?.(message);
    waiting.delete(message.id);
  });

  const request = (method, params) =>
    new Promise((resolve) => {
      const id = ++last_id;
      waiting.set(id, resolve);
      write({ id, method, params });
    });

  await request("initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "answers", version: "1" },
  });
  write({ method: "notifications/initialized" });

  // All that the model would read of the answer.
  const call = async (name, args = {}) => {
    const { result, error } = await request("tools/call", { name, arguments: args });
    if (error) throw new Error(`${name}: ${error.message}`);
    return result.content.map(({ type, text }) => text ?? `[${type}]`).join("\n");
  };
  const stop = () =>
    new Promise((resolve) => {
      child.once("close", resolve);
      child.kill();
    });
  return { call, stop };
};
