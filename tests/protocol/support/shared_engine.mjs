// Several `gasoline mcp` for one state directory.
import { rmSync } from "node:fs";

import { start_engine, temporary_directory } from "./engine.mjs";

// For the length of `use`: a state directory, and `start(options)` for a client of it. What still
// runs afterwards is killed, so that no test leaves an engine behind.
export const with_shared_state = async (use) => {
  const state_dir = temporary_directory();
  const started = [];
  const start = (options = {}) => {
    const client = start_engine({ state_dir, ...options });
    started.push(client);
    return client;
  };
  try {
    await use({ state_dir, start });
    for (const client of started) client.assert_clean();
  } finally {
    for (const client of started) client.child.kill("SIGKILL");
    rmSync(state_dir, { recursive: true, force: true });
  }
};

// A client that has shaken hands, with what it was told about its engine, which has opened by then
// all that others look for.
export const initialized = async (client) => {
  await client.initialize();
  await client.port();
  client.engine_pid = (await client.health()).pid;
  return client;
};
