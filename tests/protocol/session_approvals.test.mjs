// A person decides about what a model wants to run: over the WebSocket, over HTTP, by not answering.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";

import { start_daemon, with_daemon } from "./support/daemon.mjs";
import { wait_until } from "./support/deadline.mjs";
import { binary, temporary_directory } from "./support/engine.mjs";
import {
  attach,
  connect,
  create_session,
  script_of,
  session_request,
  submit,
  watch,
} from "./support/session_client.mjs";

const config = { sessions: { allow_shell: true } };
const call = (command) => ({ tool_use: { name: "shell", input: { command } } });

let engine;
let port;
let bearer;
let workspace;

before(async () => {
  workspace = temporary_directory();
  engine = start_daemon({ config });
  port = await engine.port();
  bearer = bearer_of(engine.state_dir);
});
after(async () => {
  await engine.stop();
  rmSync(workspace, { recursive: true, force: true });
});

const bearer_of = (state_dir) => ({
  authorization: `Bearer ${readFileSync(path.join(state_dir, "token"), "utf8").trim()}`,
});

const create = (calls, more = {}) =>
  create_session(
    port,
    { workspace_path: workspace, tools: ["shell"], script: script_of(...calls, [{ text: "Done." }]), ...more },
    bearer,
  );

const answer = (id, request_id, decision, headers = bearer) =>
  session_request(port, "POST", `/${id}/permissions/${request_id}`, { decision }, headers);

test("allowed once over the WebSocket, then asked again and denied over HTTP", async () => {
  const id = await create([[call("echo one > first")], [call("echo two > second")]]);
  const client = await watch(port, id, {}, bearer);
  await submit(port, id, "go", bearer);
  const asked = await client.event("permission.requested");
  assert.match(asked.payload.request_id, /^perm_/);
  assert.equal(asked.payload.tool, "shell");
  assert.deepEqual(asked.payload.input, { command: "echo one > first" });
  assert.match(asked.payload.reason, /shell/);
  assert.deepEqual(asked.payload.options, ["allow_once", "allow_session", "deny"]);
  assert.ok(!existsSync(path.join(workspace, "first")), "it ran unasked");
  const listed = await attach(port, id, bearer);
  assert.deepEqual(listed.pending_permissions, [asked.payload]);
  client.send({ type: "permission", request_id: asked.payload.request_id, decision: "allow_once" });
  const resolved = await client.event("permission.resolved");
  assert.equal(resolved.payload.decision, "allow_once");
  assert.equal(resolved.payload.by, "user");
  await client.event("tool.completed");
  assert.equal(readFileSync(path.join(workspace, "first"), "utf8"), "one\n");
  const again = await client.event(
    "permission.requested",
    ({ payload }) => payload.request_id !== asked.payload.request_id,
  );
  const denied = await answer(id, again.payload.request_id, "deny");
  assert.equal(denied.status, 200, denied.text);
  const failed = await client.event("tool.failed");
  assert.equal(failed.payload.error_class, "denied");
  const end = await client.event("turn.completed");
  assert.equal(end.payload.status, "completed");
  assert.ok(!existsSync(path.join(workspace, "second")), "it ran although it was denied");
  assert.equal((await answer(id, again.payload.request_id, "deny")).status, 404);
  await client.close();
});

test("allowed for the session: not asked again, not after a restart either", async () => {
  const state_dir = temporary_directory();
  const first = start_daemon({ config, state_dir });
  const first_port = await first.port();
  const own = bearer_of(state_dir);
  const script = script_of(
    [call("true"), call("true")],
    [call("true")],
    [{ text: "Done." }],
    [call("true")],
    [{ text: "Done." }],
  );
  const id = await create_session(
    first_port,
    { workspace_path: workspace, tools: ["shell"], script },
    own,
  );
  const client = await watch(first_port, id, {}, own);
  await submit(first_port, id, "go", own);
  const asked = await client.event("permission.requested");
  client.send({ type: "permission", request_id: asked.payload.request_id, decision: "allow_session" });
  await client.event("turn.completed");
  // Two calls of one answer ask at once; the decision settles both.
  assert.equal(client.of_type("permission.requested").length, 2);
  assert.equal(client.of_type("permission.resolved").length, 2);
  assert.equal(client.of_type("tool.completed").length, 3);
  first.child.kill("SIGKILL");
  await first.exited;
  rmSync(path.join(state_dir, "port"), { force: true });
  const second = start_daemon({ config, state_dir });
  const second_port = await second.port();
  const later = await watch(second_port, id, {}, own);
  await submit(second_port, id, "go", own);
  await later.event("turn.completed");
  assert.equal(later.of_type("permission.requested").length, 0);
  assert.equal(later.of_type("tool.completed").length, 1);
  await second.stop();
  rmSync(state_dir, { recursive: true, force: true });
});

test("killed while it asks: after the restart the request is resolved and the turn cancelled", async () => {
  const state_dir = temporary_directory();
  const first = start_daemon({ config, state_dir });
  const first_port = await first.port();
  const own = bearer_of(state_dir);
  const id = await create_session(
    first_port,
    { workspace_path: workspace, tools: ["shell"], script: script_of([call("true")]) },
    own,
  );
  const client = await watch(first_port, id, {}, own);
  await submit(first_port, id, "go", own);
  const asked = await client.event("permission.requested");
  first.child.kill("SIGKILL");
  await first.exited;
  rmSync(path.join(state_dir, "port"), { force: true });
  const second = start_daemon({ config, state_dir });
  const second_port = await second.port();
  const later = await watch(second_port, id, { since: asked.id }, own);
  await later.event("turn.cancelled");
  assert.deepEqual(later.types, ["permission.resolved", "tool.failed", "turn.cancelled"]);
  const [resolved] = later.of_type("permission.resolved");
  assert.equal(resolved.payload.request_id, asked.payload.request_id);
  assert.equal(resolved.payload.decision, "deny");
  assert.equal(resolved.payload.by, "server_restart");
  assert.deepEqual((await attach(second_port, id, own)).pending_permissions, []);
  await second.stop();
  rmSync(state_dir, { recursive: true, force: true });
});

test("a cancel while it asks ends the turn, and nothing was run", async () => {
  const id = await create([[call("echo no > third")]]);
  const client = await watch(port, id, {}, bearer);
  const turn = await submit(port, id, "go", bearer);
  await client.event("permission.requested");
  client.cancel(turn);
  await client.event("turn.cancelled");
  assert.deepEqual(client.types.slice(-3), ["permission.resolved", "tool.failed", "turn.cancelled"]);
  assert.ok(!existsSync(path.join(workspace, "third")));
  await client.close();
});

test("a session may be made that does not ask", async () => {
  const id = await create([[call("echo yes > fourth")]], { permissions: { shell: "allow" } });
  const client = await watch(port, id, {}, bearer);
  await submit(port, id, "go", bearer);
  await client.event("turn.completed");
  assert.equal(client.of_type("permission.requested").length, 0);
  assert.ok(existsSync(path.join(workspace, "fourth")));
  await client.close();
  for (const permissions of [{ shell: "always" }, { read_file: "allow" }, ["shell"], "allow"]) {
    const refused = await session_request(
      port,
      "POST",
      "",
      { workspace_path: workspace, tools: ["shell"], permissions },
      bearer,
    );
    assert.equal(refused.status, 400, JSON.stringify(permissions));
  }
});

test("who has no token decides nothing; a wrong answer is refused", async () => {
  const id = await create([[call("true")]]);
  const client = await watch(port, id, {}, bearer);
  await submit(port, id, "go", bearer);
  const { payload } = await client.event("permission.requested");
  assert.equal((await answer(id, payload.request_id, "allow_once", {})).status, 401);
  assert.equal((await answer(id, payload.request_id, "perhaps")).status, 400);
  assert.equal((await answer(id, "perm_none", "deny")).status, 404);
  client.send({ type: "permission", request_id: payload.request_id, decision: "perhaps" });
  const wrong = await client.frame(({ type }) => type === "permission_error");
  assert.equal(wrong.code, "invalid_decision");
  client.send({ type: "permission", request_id: "perm_none", decision: "deny" });
  await client.frame(({ type, code }) => type === "permission_error" && code === "request_not_open");
  assert.equal(client.of_type("permission.resolved").length, 0);
  await answer(id, payload.request_id, "deny");
  await client.event("turn.completed");
  await client.close();
  // A session that anybody may use has watchers that have not shown the token.
  const open_id = await create_session(port);
  const watcher = await connect(port, open_id);
  watcher.send({ type: "permission", request_id: "perm_none", decision: "deny" });
  const refused = await watcher.frame(({ type }) => type === "permission_error");
  assert.equal(refused.code, "token_needed");
  await watcher.close();
});

test("what a worker wants to run is asked in the session that has made it, for both", async () => {
  const delegate = (command) => ({
    tool_use: {
      name: "delegate",
      input: { task: "Run it.", script: script_of([call(command)], [{ text: "Did." }]) },
    },
  });
  const id = await create(
    [[delegate("echo by > worker_one")], [delegate("echo by > worker_two")]],
    { tools: ["shell", "delegate"] },
  );
  const client = await watch(port, id, {}, bearer);
  await submit(port, id, "go", bearer);
  const { payload } = await client.event("permission.requested");
  const started = (await client.event("delegate.started")).payload;
  assert.equal(payload.worker_session_id, started.worker_session_id);
  assert.deepEqual(payload.input, { command: "echo by > worker_one" });
  assert.deepEqual((await attach(port, id, bearer)).pending_permissions, [payload]);
  assert.ok(!existsSync(path.join(workspace, "worker_one")));
  client.send({ type: "permission", request_id: payload.request_id, decision: "allow_session" });
  assert.equal((await client.event("permission.resolved")).payload.request_id, payload.request_id);
  await client.event("turn.completed");
  assert.ok(existsSync(path.join(workspace, "worker_one")));
  // The second worker has from its planner what was allowed for the session.
  assert.ok(existsSync(path.join(workspace, "worker_two")));
  assert.equal(client.of_type("permission.requested").length, 1);
  assert.deepEqual((await attach(port, id, bearer)).pending_permissions, []);
  await client.close();
});

test("nobody's answer is a no", () =>
  with_daemon(
    async (own_engine, own_port) => {
      const own = bearer_of(own_engine.state_dir);
      const script = script_of([call("echo no > late")], [{ text: "Done." }]);
      const id = await create_session(
        own_port,
        { workspace_path: workspace, tools: ["shell"], script },
        own,
      );
      const client = await watch(own_port, id, {}, own);
      await submit(own_port, id, "go", own);
      const asked = await client.event("permission.requested");
      assert.equal(asked.payload.timeout_ms, 200);
      const { payload } = await client.event("permission.resolved");
      assert.deepEqual([payload.decision, payload.by], ["deny", "timeout"]);
      assert.equal((await client.event("tool.failed")).payload.error_class, "denied");
      assert.equal((await client.event("turn.completed")).payload.status, "completed");
      assert.ok(!existsSync(path.join(workspace, "late")));
      await client.close();
    },
    { config: { ...config, limits: { session_permission_ms: 200 } } },
  ));

test("the owner's rules: what is run unasked, what never, and what is asked for all the same", () =>
  with_daemon(
    async (own_engine, own_port) => {
      const own = bearer_of(own_engine.state_dir);
      const run = async (command, permissions) => {
        const id = await create_session(
          own_port,
          {
            workspace_path: workspace,
            tools: ["shell", "list_files"],
            permissions,
            script: script_of([call(command)], [{ text: "Done." }]),
          },
          own,
        );
        const client = await watch(own_port, id, {}, own);
        await submit(own_port, id, "go", own);
        const seen = await client.frame(
          ({ event }) =>
            event?.type === "permission.requested" || event?.type === "turn.completed",
        );
        const failure = client.of_type("tool.failed")[0]?.payload;
        await client.close();
        if (seen.event.type === "permission.requested") return "asked";
        return failure ? failure.error_class : "run";
      };
      assert.equal(await run("echo hello"), "run");
      assert.equal(await run("echo hello; touch more"), "asked");
      assert.equal(await run("echo $(touch more)"), "asked");
      assert.equal(await run("echo hello > more"), "asked");
      assert.equal(await run("touch more"), "asked");
      assert.equal(await run("touch more", { shell: "allow" }), "run");
      assert.equal(await run("rm more", { shell: "allow" }), "denied");
      assert.equal(await run("echo hello && rm more", { shell: "allow" }), "denied");
      assert.ok(existsSync(path.join(workspace, "more")));
    },
    {
      config: {
        sessions: {
          allow_shell: true,
          permissions: { shell: { policy: "ask", allow: ["echo *"], deny: ["rm *"] } },
        },
      },
    },
  ));

test("the terminal view asks, and one key answers", async () => {
  const id = await create([[call("echo typed > fifth")], [call("echo no > sixth")]]);
  const tail = [binary, "tail", "session", id, "--state-dir", engine.state_dir];
  // A terminal of its own, which `script` makes.
  const terminal = spawn("script", ["-qfec", tail.join(" "), "/dev/null"], {
    env: { ...process.env, TERM: "xterm", HOME: engine.state_dir },
  });
  const closed = once(terminal, "close");
  let shown = "";
  terminal.stdout.on("data", (bytes) => (shown += String(bytes).replace(/\x1b\[[\d;]*m/g, "")));
  const appears = (text) =>
    wait_until(
      () => shown.includes(text),
      () => shown.slice(-600),
    );
  try {
    await submit(port, id, "go", bearer);
    await appears("shell wants to run: echo typed > fifth");
    terminal.stdin.write("y");
    await appears("✓ allowed");
    await appears("shell wants to run: echo no > sixth");
    assert.equal(readFileSync(path.join(workspace, "fifth"), "utf8"), "typed\n");
    terminal.stdin.write("n");
    await appears("✗ denied");
    await appears("Done.");
    assert.ok(!existsSync(path.join(workspace, "sixth")));
  } finally {
    terminal.kill("SIGTERM");
    await closed;
  }
});
