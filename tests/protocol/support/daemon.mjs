import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { binary, clean_environment, engine_client, temporary_directory } from "./engine.mjs";

// A `gasoline serve` process; clients come to it over HTTP only.
export class daemon extends engine_client {
  async address() {
    return new URL(`http://127.0.0.1:${await this.port()}/mcp`);
  }

  descriptors() {
    return readdirSync(`/proc/${this.pid}/fd`).length;
  }

  // Ends it the way a service manager does.
  async stop() {
    try {
      if (this.child.exitCode === null && this.child.signalCode === null) {
        this.child.kill("SIGTERM");
        assert.deepEqual(await this.end(), { code: 0, signal: null }, this.stderr);
        assert.doesNotMatch(this.stderr, /was cut short/);
      }
      assert.deepEqual(this.lines, [], "stdout belongs to stdio clients");
    } finally {
      this.child.kill("SIGKILL");
      if (this.owns_state) rmSync(this.state_dir, { recursive: true, force: true });
    }
  }
}

// Starts it on a free port; `config` becomes its configuration file, `env` is added to its
// environment.
export const start_daemon = ({ args = [], config = {}, port = 0, state_dir, env = {} } = {}) => {
  const directory = state_dir ?? temporary_directory();
  const file = path.join(directory, "test-config.json");
  writeFileSync(file, JSON.stringify(config));
  const child = spawn(
    binary,
    ["serve", "--port", String(port), "--state-dir", directory, "--config", file, ...args],
    { env: { ...clean_environment(directory), ...env }, cwd: directory },
  );
  return new daemon(child, directory, state_dir === undefined);
};

// For the length of `use`: a daemon that listens.
export const with_daemon = async (use, options) => {
  const engine = start_daemon(options);
  try {
    await use(engine, await engine.port());
  } catch (problem) {
    engine.child.kill("SIGKILL");
    await engine.stop().catch(() => {});
    throw problem;
  }
  await engine.stop();
};

// What tests need that call tools more often than 100 times a minute.
export const many_calls = {
  limits: { client_tool_calls_per_minute: 1_000_000, client_progress_ms: 500 },
};
