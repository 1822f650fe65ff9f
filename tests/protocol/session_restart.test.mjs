// What a killed engine leaves of its sessions, and what becomes of a trace that cannot be used.
import assert from "node:assert/strict";
import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";

import { start_daemon, with_daemon } from "./support/daemon.mjs";
import { temporary_directory } from "./support/engine.mjs";
import {
  attach,
  connect,
  create_session,
  script_of,
  session_request,
  spoken,
  submit,
  watch,
} from "./support/session_client.mjs";

const endless = spoken(["begun"]).concat(spoken(["never"], 600_000));

// Kills an engine once `reached` says that its turn has come so far; then `use` gets the next one,
// the session, and the events that it has told after the ones that were seen.
const killed_in = async (script, tools, reached, use) => {
  const state_dir = temporary_directory();
  const first = start_daemon({ state_dir });
  try {
    const first_port = await first.port();
    const id = await create_session(first_port, { script, tools });
    const client = await watch(first_port, id);
    await submit(first_port, id);
    const last = await reached(client);
    first.child.kill("SIGKILL");
    await first.exited;
    rmSync(path.join(state_dir, "port"), { force: true });
    await with_daemon(
      async (_, port) => {
        const later = await watch(port, id, { since: last.id });
        await later.event("turn.cancelled");
        await use({ port, id, client, later });
        await later.close();
      },
      { state_dir },
    );
  } finally {
    first.child.kill("SIGKILL");
    rmSync(state_dir, { recursive: true, force: true });
  }
};

test("killed during a model call: the call has failed, then the turn is cancelled", () =>
  killed_in(
    script_of(endless),
    [],
    async (client) => {
      await client.event("text.delta");
      return client.of_type("llm.call_started")[0];
    },
    ({ later }) => {
      assert.deepEqual(later.types, ["llm.call_failed", "turn.cancelled"]);
      const [failed] = later.of_type("llm.call_failed");
      assert.equal(failed.payload.error_class, "cancelled");
      assert.equal(failed.payload.call_index, 0);
      assert.equal(failed.payload.will_retry, false);
      assert.equal(later.of_type("turn.cancelled")[0].payload.reason, "server_restart");
    },
  ));

test("killed during a later model call: only that one has failed", () =>
  killed_in(
    script_of([{ tool_use: { name: "observe", input: { what: "errors" } } }], endless),
    ["observe"],
    async (client) => {
      await client.event("text.delta");
      return client.of_type("llm.call_started")[1];
    },
    ({ later }) => {
      assert.deepEqual(later.types, ["llm.call_failed", "turn.cancelled"]);
      assert.equal(later.of_type("llm.call_failed")[0].payload.call_index, 1);
    },
  ));

test("killed during a delegation: worker first, then delegation, tool and turn", () =>
  killed_in(
    script_of([
      { tool_use: { name: "delegate", input: { task: "do it", script: script_of(endless) } } },
    ]),
    ["delegate"],
    (client) => client.event("delegate.started"),
    async ({ port, client, later }) => {
      assert.deepEqual(later.types, ["delegate.failed", "tool.failed", "turn.cancelled"]);
      const [failed] = later.of_type("delegate.failed");
      const worker = client.of_type("delegate.started")[0].payload.worker_session_id;
      assert.equal(failed.payload.worker_session_id, worker);
      assert.equal(failed.payload.failure_mode, "server_restart");
      assert.equal((await attach(port, worker)).current_turn_id, null);
    },
  ));

test("a trace of a later version is refused at once and left as it is", async () => {
  const state_dir = temporary_directory();
  const file = path.join(state_dir, "trace.db");
  const database = new DatabaseSync(file);
  database.exec("CREATE TABLE later(x); PRAGMA user_version = 99");
  database.close();
  const before = readFileSync(file);
  await with_daemon(
    async (_, port) => {
      for (const request of [
        ["POST", "", { workspace_path: "/tmp" }],
        ["GET", ""],
        ["POST", "/sess_x/turns", { content: "x" }],
      ]) {
        const answer = await session_request(port, ...request);
        assert.equal(answer.status, 503, answer.text);
        assert.match(answer.json.error.message, /later version/);
      }
    },
    { state_dir },
  );
  assert.deepEqual(readFileSync(file), before);
  rmSync(state_dir, { recursive: true, force: true });
});

test("one record that the file refuses holds up no session", () =>
  with_daemon(async (engine, port) => {
    const id = await create_session(port);
    const other = await create_session(port);
    const database = new DatabaseSync(path.join(engine.state_dir, "trace.db"));
    database.exec(
      `CREATE TRIGGER refusal BEFORE INSERT ON events WHEN new.type = 'route.decided' AND
       new.session_id = '${id}' BEGIN SELECT raise(ABORT, 'never'); END`,
    );
    for (const session of [id, other]) {
      const client = await watch(port, session);
      await submit(port, session);
      await client.event("turn.completed");
      await client.close();
    }
    database.close();
    const { trace } = await (await fetch(`http://127.0.0.1:${port}/health`)).json();
    assert.equal(trace.refused_records, 1, JSON.stringify(trace));
    assert.equal(trace.problem, undefined);
  }));

test("what is kept of a long session are its newest turns, whole, with their messages", () =>
  with_daemon(
    async (_, port) => {
      const id = await create_session(port, {
        script: script_of(...Array.from({ length: 40 }, () => [{ text: "said" }])),
      });
      const client = await watch(port, id);
      for (let n = 0; n < 40; ++n) {
        const turn = await submit(port, id, `question ${n}`);
        await client.event("turn.completed", ({ turn_id }) => turn_id === turn);
      }
      const { messages } = (await session_request(port, "GET", `/${id}/messages?limit=1000`)).json;
      assert.ok(messages.length >= 10 && messages.length <= 24, `${messages.length} messages`);
      assert.equal(messages[0].role, "user");
      assert.match(JSON.stringify(messages.at(-2)), /question 39/);
      assert.equal(messages.length % 2, 0);
      const late = await connect(port, id);
      late.subscribe({ since: client.events[0].id });
      const refused = await late.frame(({ type }) => type === "subscribe_error");
      assert.equal(refused.code, "cursor_expired");
      await late.close();
      await client.close();
    },
    { config: { limits: { session_events_kept: 50 } } },
  ));
