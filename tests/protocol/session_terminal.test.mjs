// A person at a terminal decides about commands: `gasoline tail session` in tmux, one key each.
import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

import { start_daemon } from "./support/daemon.mjs";
import { binary, temporary_directory } from "./support/engine.mjs";
import { attach, create_session, script_of, submit, watch } from "./support/session_client.mjs";
import { needs_tmux, tmux_terminal } from "./support/tmux_terminal.mjs";

const call = (command) => [{ tool_use: { name: "shell", input: { command } } }];
const said = (text) => [{ text }];

// A terminal that follows a session whose model runs these calls.
const at_terminal = async (calls, use, limits = {}) => {
  const workspace = temporary_directory();
  const state_dir = temporary_directory();
  const options = { state_dir, config: { sessions: { allow_shell: true }, limits } };
  const desk = {};
  desk.start = async (port = 0) => {
    rmSync(path.join(state_dir, "port"), { force: true });
    desk.engine = start_daemon({ ...options, port });
    desk.port = await desk.engine.port();
  };
  let terminal;
  try {
    await desk.start();
    const token = readFileSync(path.join(state_dir, "token"), "utf8").trim();
    desk.bearer = { authorization: `Bearer ${token}` };
    desk.id = await create_session(
      desk.port,
      { workspace_path: workspace, tools: ["shell"], script: script_of(...calls) },
      desk.bearer,
    );
    desk.submit = () => submit(desk.port, desk.id, "go", desk.bearer);
    desk.made = (name) => existsSync(path.join(workspace, name));
    terminal = new tmux_terminal(workspace);
    terminal.run(`${binary} tail session ${desk.id} --state-dir ${state_dir}`);
    await terminal.shows(`session ${desk.id}`);
    await use({ terminal, ...desk, desk });
  } finally {
    terminal?.close();
    desk.engine?.child.kill("SIGKILL");
    await desk.engine?.exited;
    for (const directory of [state_dir, workspace])
      rmSync(directory, { recursive: true, force: true });
  }
};

test("allowed once, denied, allowed for the session", needs_tmux, () =>
  at_terminal(
    [
      ...[1, 2, 3, 4].map((n) => call(`echo ran > file${n}`)),
      said("First done."),
      call("echo ran > file5"),
      said("Second done."),
    ],
    async ({ terminal, submit: go, made, desk }) => {
      await go();
      await terminal.shows("shell wants to run: echo ran > file1");
      await terminal.shows("y allows it once");
      // Other keys decide nothing.
      terminal.type("xq ");
      terminal.press("Enter");
      assert.ok(!made("file1"));
      terminal.type("y");
      await terminal.shows("✓ allowed");
      await terminal.shows("shell wants to run: echo ran > file2");
      assert.ok(made("file1"));
      terminal.type("n");
      await terminal.shows("✗ denied");
      await terminal.shows("shell wants to run: echo ran > file3");
      assert.ok(!made("file2"));
      terminal.type("A");
      await terminal.shows("✓ allowed in this session");
      await terminal.shows("First done.");
      assert.ok(made("file3") && made("file4"));
      assert.ok(!terminal.text.includes("wants to run: echo ran > file4"));
      await go();
      await terminal.shows("Second done.");
      assert.ok(made("file5"));
      const { allowed_tools, pending_permissions } = await attach(desk.port, desk.id, desk.bearer);
      assert.deepEqual([allowed_tools, pending_permissions], [["shell"], []]);
      // The terminal is as it was before.
      terminal.press("C-c");
      terminal.run("stty -a | tr ' ;' '\\n\\n' | grep -xE -- '-?(icanon|echo)' | paste -sd, -");
      await terminal.shows("icanon,echo");
      assert.ok(!terminal.text.includes("-icanon"));
    },
  ));

test("nobody at the terminal is a no, and a late key answers nothing", needs_tmux, () =>
  at_terminal(
    [call("echo ran > late"), said("Nothing was run."), call("echo ran > later"), said("Nor now.")],
    async ({ terminal, submit: go, made }) => {
      await go();
      await terminal.shows("shell wants to run: echo ran > late");
      await terminal.shows("✗ denied (timeout)");
      await terminal.shows("Nothing was run.");
      terminal.type("y");
      await go();
      await terminal.shows("shell wants to run: echo ran > later");
      await terminal.shows("✗ denied (timeout)", 2);
      await terminal.shows("Nor now.");
      assert.ok(!made("late") && !made("later"));
    },
    { session_permission_ms: 1_500 },
  ));

test("killed while it asks: denied, told at the same terminal, and asked again in the next turn", needs_tmux, () =>
  at_terminal(
    [call("echo ran > before"), call("echo ran > after"), said("Done.")],
    async ({ terminal, made, desk }) => {
      await desk.submit();
      await terminal.shows("shell wants to run: echo ran > before");
      desk.engine.child.kill("SIGKILL");
      await desk.engine.exited;
      terminal.type("y"); // at a question that nobody can hear any more
      await desk.start(desk.port);
      await terminal.shows("✗ denied (server_restart)");
      await terminal.shows("cancelled");
      const client = await watch(desk.port, desk.id, {}, desk.bearer);
      await desk.submit();
      await terminal.shows("shell wants to run: echo ran > after");
      assert.ok(!made("before") && !made("after"));
      assert.equal(client.of_type("permission.resolved").length, 0);
      terminal.type("y");
      await terminal.shows("Done.");
      assert.ok(made("after") && !made("before"));
      await client.close();
    },
  ));

test("who comes while it asks is asked too", needs_tmux, () =>
  at_terminal([call("echo ran > shared"), said("Done.")], async ({ terminal, made, desk }) => {
    await desk.submit();
    await terminal.shows("shell wants to run: echo ran > shared");
    const other = new tmux_terminal("/tmp");
    try {
      other.run(`${binary} tail session ${desk.id} --state-dir ${desk.engine.state_dir}`);
      await other.shows("shell wants to run: echo ran > shared");
      assert.ok(!made("shared"));
      other.type("y");
      for (const screen of [terminal, other]) {
        await screen.shows("✓ allowed");
        await screen.shows("Done.");
      }
      assert.ok(made("shared"));
    } finally {
      other.close();
    }
  }));
