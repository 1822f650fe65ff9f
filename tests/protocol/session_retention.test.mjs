// What is kept of agent sessions: by age and by bytes over all of them, whole turns with their
// messages, the oldest first; `gasoline doctor` says so.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

import { with_daemon } from "./support/daemon.mjs";
import { wait_until } from "./support/deadline.mjs";
import { binary, clean_environment } from "./support/engine.mjs";
import {
  connect,
  create_session,
  script_of,
  session_request,
  submit,
  watch,
} from "./support/session_client.mjs";

const long = "x".repeat(15_000);

const messages_of = async (port, id) =>
  (await session_request(port, "GET", `/${id}/messages?limit=1000`)).json.messages;

// Turns that are whole: a question and its answer each.
const questions_of = (messages) => {
  assert.equal(messages.length % 2, 0, `${messages.length} messages`);
  return messages
    .filter((_, n) => n % 2 === 0)
    .map(({ role, turn_id, content }, n) => {
      assert.equal(role, "user");
      assert.equal(messages[2 * n + 1].turn_id, turn_id);
      return content[0].text.split(" x")[0];
    });
};

const ask = async (port, client, id, text) => {
  const turn = await submit(port, id, text);
  await client.event("turn.completed", ({ turn_id }) => turn_id === turn);
};

const doctor_of = (engine) =>
  spawnSync(binary, ["doctor", "--state-dir", engine.state_dir], {
    env: clean_environment(engine.state_dir),
    encoding: "utf8",
  }).stdout;

const trace_of = async (port) => (await (await fetch(`http://127.0.0.1:${port}/health`)).json()).trace;

test("above the bytes for all sessions the oldest turns leave, whichever session they are of", () =>
  with_daemon(
    async (engine, port) => {
      const answers = Array.from({ length: 51 }, () => [{ text: "Done." }]);
      const sessions = [];
      for (let n = 0; n < 3; ++n) {
        const id = await create_session(port, { script: script_of(...answers) });
        sessions.push({ id, client: await watch(port, id) });
      }
      // A session that says a little and long ago, and two that go on.
      const [quiet, ...busy] = sessions;
      await ask(port, quiet.client, quiet.id, "quiet");
      for (let n = 0; n < 50; ++n)
        for (const { id, client } of busy) await ask(port, client, id, `question ${n} ${long}`);
      const trace = await trace_of(port);
      assert.ok(trace.pruned_events > 0, JSON.stringify(trace));
      assert.ok(trace.bytes <= 2.2 * 1024 * 1024, `${trace.bytes} bytes`);
      const kept = await Promise.all(sessions.map(async ({ id }) => questions_of(await messages_of(port, id))));
      assert.deepEqual(kept[0], [], "the oldest turn of all has left");
      const [first, second] = kept.slice(1);
      assert.equal(first.at(-1), "question 49");
      assert.equal(second.at(-1), "question 49");
      assert.ok(first.length > 3 && first.length < 45, `${first.length} turns`);
      assert.ok(Math.abs(first.length - second.length) <= 1, `${first.length}, ${second.length}`);
      // Room that was freed is used again: the file stays about as large as what it holds.
      const file = statSync(path.join(engine.state_dir, "trace.db")).size;
      assert.ok(file < 6 * 1024 * 1024, `${file} bytes in the file`);
      const said = doctor_of(engine);
      assert.match(said, /sessions: +\d+\.\d MiB stored; turns are kept for 30\.0 days, up to 2 MiB in all/);
      assert.match(said, new RegExp(`${trace.pruned_events} events were removed`));
      for (const { client } of sessions) await client.close();
    },
    { config: { limits: { session_trace_bytes: 2 * 1024 * 1024 } } },
  ));

test("what is older than its age leaves, also of a session that nobody uses", () =>
  with_daemon(
    async (_, port) => {
      const id = await create_session(port, { script: script_of([{ text: "a" }], [{ text: "b" }]) });
      const client = await watch(port, id);
      await ask(port, client, id, "first");
      assert.deepEqual(questions_of(await messages_of(port, id)), ["first"]);
      await wait_until(
        async () => (await messages_of(port, id)).length === 0,
        () => "the turn stays",
      );
      const cursor = client.events[0].id;
      const late = await connect(port, id);
      late.subscribe({ since: cursor });
      assert.equal((await late.frame(({ type }) => type === "subscribe_error")).code, "cursor_expired");
      await late.close();
      await ask(port, client, id, "second"); // the session itself stays
      await client.close();
    },
    { config: { limits: { session_event_age_ms: 1_500, session_retention_ms: 100 } } },
  ));
