// Commands end with their tool, their cancel and their engine, whatever they do to get away; and
// they cannot look into the engine.
import assert from "node:assert/strict";
import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

import { start_daemon } from "./support/daemon.mjs";
import { wait_until } from "./support/deadline.mjs";
import { temporary_directory } from "./support/engine.mjs";
import { create_session, script_of, submit, watch } from "./support/session_client.mjs";

const secret = "sk-secret-4711-0815-abcdef";
const other = "another-secret-2342-ghijkl";

// A session whose model runs that command, and a client that has its whole stream.
const with_command = async (command, use) => {
  const workspace = temporary_directory();
  const engine = start_daemon({
    config: { sessions: { allow_shell: true } },
    env: { OPENAI_API_KEY: secret, ANTHROPIC_API_KEY: secret, SOME_OTHER_SECRET: other },
  });
  try {
    const port = await engine.port();
    const token = readFileSync(path.join(engine.state_dir, "token"), "utf8").trim();
    const bearer = { authorization: `Bearer ${token}` };
    const id = await create_session(
      port,
      {
        workspace_path: workspace,
        tools: ["shell"],
        permissions: { shell: "allow" },
        script: script_of([{ tool_use: { name: "shell", input: { command } } }], [{ text: "Done." }]),
      },
      bearer,
    );
    const client = await watch(port, id, {}, bearer);
    const turn = await submit(port, id, "go", bearer);
    await use({ engine, client, turn, workspace });
  } finally {
    engine.child.kill("SIGKILL");
    await engine.exited;
    rmSync(engine.state_dir, { recursive: true, force: true });
    rmSync(workspace, { recursive: true, force: true });
  }
};

const pids_in = async (workspace, count) =>
  wait_until(
    () => {
      try {
        const pids = readFileSync(path.join(workspace, "pids"), "utf8").trim().split("\n").map(Number);
        return pids.length >= count ? pids : undefined;
      } catch {
        return undefined;
      }
    },
    () => "the command did not start",
  );

const runs = (pid) => {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1][0] !== "Z";
  } catch {
    return false;
  }
};

const all_gone = (pids) =>
  wait_until(
    () => !pids.some(runs),
    () => `still running: ${pids.filter(runs)}`,
  );

// In a session of its own, twice removed, without an environment.
const runaway = "setsid sh -c 'echo $$ >> pids; (env -i setsid sleep 300 & echo $! >> pids); sleep 300' &";

test("what a command leaves behind in another session ends with the command", () =>
  with_command(`${runaway} until [ "$(cat pids 2>/dev/null | wc -l)" -ge 2 ]; do :; done; echo left`, async ({ client, workspace }) => {
    const { payload } = await client.event("tool.completed");
    assert.match(payload.result, /left/);
    await all_gone(await pids_in(workspace, 2));
  }));

test("a cancel ends a command that calls setsid", () =>
  with_command(`${runaway} echo $$ >> pids; wait; sleep 300`, async ({ client, turn, workspace }) => {
    const pids = await pids_in(workspace, 3);
    client.cancel(turn);
    const { payload } = await client.event("tool.failed");
    assert.equal(payload.error_class, "cancelled");
    await all_gone(pids);
  }));

test("the engine's death, even by kill -9, ends its commands", () =>
  with_command(`${runaway} echo $$ >> pids; sleep 300`, async ({ engine, workspace }) => {
    const pids = await pids_in(workspace, 3);
    assert.ok(pids.every(runs));
    engine.child.kill("SIGKILL");
    await engine.exited;
    await all_gone(pids);
  }));

test("how a command ends is told as before: exit codes and signals", async () => {
  for (const [command, told] of [
    ["exit 7", /exit code 7/],
    ["kill -TERM $$", /signal 15/],
    ["kill -KILL $$", /signal 9/],
  ])
    await with_command(command, async ({ client }) => {
      const { payload } = await client.event("tool.completed");
      assert.match(payload.result, told);
      assert.equal(payload.is_error, true);
    });
});

test("neither the engine's environment nor its memory nor its descriptors are open to a command", () =>
  with_command(
    "for p in $PPID $(ps -o ppid= -p $PPID 2>/dev/null); do tr '\\0' '\\n' < /proc/$p/environ; done | rev",
    async ({ engine, client }) => {
      const { payload } = await client.event("tool.completed");
      const shown = (text) => payload.result.includes([...text].reverse().join(""));
      assert.ok(!shown(secret), payload.result);
      // Nothing is closed to root, whom the kernel does not ask.
      if (process.getuid() !== 0) assert.ok(!shown(other), payload.result);
      // Of what the keys of providers stood in nothing is left, so not even root reads them there.
      const environment = readFileSync(`/proc/${engine.pid}/environ`, "latin1");
      for (const name of ["OPENAI_API_KEY", "ANTHROPIC_API_KEY"])
        assert.ok(!environment.includes(`${name}=${secret}`), `${name} is still there`);
    },
  ));

test("a command makes its files with the mask of the user, not with the engine's", () =>
  with_command("umask > mask", async ({ client, workspace }) => {
    await client.event("tool.completed");
    const mask = parseInt(readFileSync(path.join(workspace, "mask"), "utf8"), 8);
    assert.equal(mask, process.umask());
  }));
