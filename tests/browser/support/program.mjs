import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { free_port } from "./free_port.mjs";
import { wait_until } from "./wait_until.mjs";

// Starts a server of an app as a developer does, through `gasoline run`: `command` gets the file that holds `source`,
// and the port in PORT. `stop()` ends it.
export const start_program = async (gasoline, state_dir, command, file, source) => {
  const folder = mkdtempSync(join(tmpdir(), "gasoline-program-"));
  writeFileSync(join(folder, file), source);
  const port = await free_port();
  const words = ["run", "--state-dir", state_dir, "--", ...command, file];
  const child = spawn(gasoline, words, {
    cwd: folder,
    env: { ...process.env, PORT: String(port) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += text));
  const exit = new Promise((resolve) => child.on("exit", resolve));
  process.on("exit", () => child.kill("SIGKILL"));
  const origin = `http://127.0.0.1:${port}`;
  await wait_until(
    () => fetch(`${origin}/ready`).then((answer) => answer.ok, () => false),
    () => `${command} does not listen: ${output}`,
  );
  const stop = async () => {
    child.kill("SIGTERM");
    await exit;
    rmSync(folder, { recursive: true });
  };
  return { origin, stop };
};
