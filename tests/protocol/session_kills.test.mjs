// An engine that is killed ten times while every kind of work is open in it: each is closed in
// order by the next engine, nothing that was seen is lost or told twice, and all goes on.
import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

import { start_daemon } from "./support/daemon.mjs";
import { wait_until } from "./support/deadline.mjs";
import { temporary_directory } from "./support/engine.mjs";
import { provider_server, refused } from "./support/provider_server.mjs";
import {
  assert_rising,
  attach,
  create_session,
  script_of,
  session_request,
  spoken,
  submit,
  watch,
} from "./support/session_client.mjs";

const rounds = 10;
const endless = spoken(["begun"]).concat(spoken(["never"], 600_000));
const use = (name, input, more = {}) => ({ tool_use: { name, input }, ...more });
const wait = 600_000;
const each_round = (...calls) => script_of(...Array.from({ length: rounds }, () => calls).flat());
const cancelled = ["llm.call_failed", "turn.cancelled"];
const sleep = use("shell", { command: "sleep 300" });

// What a session is made with; how its turn comes to be open (`turn`: the id of the one that was
// begun); which events that is to be told of after the cursor, and which event the cursor is.
const kinds = {
  "an answer streams": {
    session: { script: each_round(endless) },
    open: (client) => client.event("text.delta"),
    cursor: "llm.call_started",
    told: cancelled,
  },
  "a model thinks": {
    session: { script: each_round([{ thinking: "Hm" }, { delay_ms: wait, text: "never" }]) },
    open: (client) => client.event("thinking.delta"),
    cursor: "llm.call_started",
    told: cancelled,
  },
  "a model says nothing yet": {
    session: { script: each_round([{ delay_ms: wait, text: "never" }]) },
    open: (client) => client.event("llm.call_started"),
    cursor: "llm.call_started",
    told: cancelled,
  },
  "the input of a tool streams": {
    session: {
      tools: ["observe"],
      script: each_round([use("observe", { what: "errors" }), { delay_ms: wait, text: "never" }]),
    },
    open: (client) => client.event("tool.use_input_delta"),
    cursor: "llm.call_started",
    told: cancelled,
  },
  "a call waits for its next try": {
    session: { provider: "openai", model: "fake" },
    open: (client) => client.event("llm.call_failed"),
    cursor: "llm.call_failed",
    told: ["turn.cancelled"],
  },
  "two tools run": {
    session: { tools: ["shell"], permissions: { shell: "allow" }, script: each_round([sleep, sleep]) },
    open: (client) => client.frame(() => client.of_type("tool.called").length === 2),
    cursor: "tool.called",
    told: ["tool.failed", "tool.failed", "turn.cancelled"],
  },
  "a request waits for an answer": {
    session: { tools: ["shell"], script: each_round([sleep]) },
    open: (client) => client.event("permission.requested"),
    cursor: "permission.requested",
    told: ["permission.resolved", "tool.failed", "turn.cancelled"],
  },
  "turns wait for the one in flight": {
    session: { script: each_round(endless) },
    open: async (client, { post }) => {
      for (const when_busy of ["queue", "queue"])
        assert.equal((await post({ content: "later", when_busy })).status, 202);
      await client.frame(() => client.of_type("turn.queued").length === 2);
    },
    cursor: "turn.queued",
    told: [...cancelled, "turn.cancelled", "turn.cancelled"],
  },
  "a worker is at work": {
    session: {
      tools: ["delegate"],
      script: each_round([use("delegate", { task: "do it", script: script_of(endless) })]),
    },
    open: (client) => client.event("delegate.started"),
    cursor: "delegate.started",
    told: ["delegate.failed", "tool.failed", "turn.cancelled"],
  },
  "a worker asks": {
    session: {
      tools: ["delegate", "shell"],
      script: each_round([
        use("delegate", { task: "do it", tools: ["shell"], script: script_of([sleep]) }),
      ]),
    },
    open: (client) => client.event("permission.requested"),
    cursor: "permission.requested",
    // The worker's own request is resolved in the worker.
    told: ["permission.resolved", "delegate.failed", "tool.failed", "turn.cancelled"],
  },
  "a cancel is not through yet": {
    session: {
      tools: ["shell"],
      permissions: { shell: "allow" },
      script: each_round([use("shell", { command: "trap '' TERM; echo > deaf; while :; do sleep 1; done" })]),
    },
    open: async (client, { turn, workspace }) => {
      const deaf = path.join(workspace, "deaf");
      await wait_until(
        () => existsSync(deaf),
        () => "the command did not start",
      );
      rmSync(deaf);
      client.cancel(turn);
      client.cancel(turn);
      await client.event("bus.handler_warning");
    },
    cursor: "bus.handler_warning",
    told: ["tool.failed", "turn.cancelled"],
  },
  "an agent elsewhere is in the middle of its turn": {
    session: {},
    foreign: true,
    open: async (client, { round, feed }) => {
      const turn_id = `turn_elsewhere_${round}`;
      const message_id = `msg_elsewhere_${round}`;
      await feed(
        { type: "turn.started", turn_id, payload: { content: [{ type: "text", text: "Mend it." }] } },
        { type: "message.start", payload: { message_id, role: "assistant", model: "m" } },
        { type: "text.delta", payload: { message_id, content_block_index: 0, text: "half" } },
      );
      await client.event("text.delta");
    },
    cursor: "turn.started",
    told: ["turn.cancelled"],
  },
};

const ends = ["turn.completed", "turn.cancelled"];
// What a reader is told again later; that readers leave is told too, and is none of the work.
const persisted = ({ type }) =>
  !/^(message|text|thinking)\.|^tool\.use_|^bus\.subscriber/.test(type);

// One engine after the other on the same state directory.
class mortal_engine {
  async start(options) {
    rmSync(path.join(options.state_dir, "port"), { force: true });
    this.process = start_daemon(options);
    this.port = await this.process.port();
    const token = readFileSync(path.join(options.state_dir, "token"), "utf8").trim();
    this.bearer = { authorization: `Bearer ${token}` };
    return this;
  }

  async kill() {
    this.process.child.kill("SIGKILL");
    await this.process.exited;
  }
}

// A session in which one kind of work is opened in each round.
class mortal_session {
  seen = []; // persisted events, in order

  constructor(kind, workspace) {
    this.kind = kind;
    this.workspace = workspace;
  }

  async open(engine, round) {
    const { session, open, cursor, foreign } = this.kind;
    const { workspace } = this;
    this.id ??= await create_session(
      engine.port,
      { workspace_path: workspace, ...session },
      engine.bearer,
    );
    this.client = await watch(engine.port, this.id, { since: this.seen.at(-1)?.id }, engine.bearer);
    const post = (body) =>
      session_request(engine.port, "POST", `/${this.id}/turns`, body, engine.bearer);
    const feed = async (...events) => {
      const body = { events };
      const answer = await session_request(
        engine.port,
        "POST",
        `/${this.id}/events`,
        body,
        engine.bearer,
      );
      assert.equal(answer.status, 202, answer.text);
    };
    const turn = foreign ? undefined : await submit(engine.port, this.id, "go", engine.bearer);
    await open(this.client, { round, turn, post, feed, workspace });
    await this.client.event(cursor);
  }

  // The engine is dead: this is what it has told.
  note() {
    this.seen.push(...this.client.events.filter(persisted));
  }

  async check(engine, round) {
    const later = await watch(engine.port, this.id, { since: this.seen.at(-1).id }, engine.bearer);
    const last = this.kind.told.filter((type) => ends.includes(type)).length;
    await later.frame(() => later.events.filter(({ type }) => ends.includes(type)).length >= last);
    const told = later.events.filter(persisted);
    assert.deepEqual(told.map(({ type }) => type), this.kind.told);
    for (const { payload } of later.of_type("turn.cancelled"))
      assert.equal(payload.reason, "server_restart");
    this.seen.push(...told);
    await later.close();
    assert_rising(this.seen);
    const now = await attach(engine.port, this.id, engine.bearer);
    assert.equal(now.current_turn_id, null);
    assert.deepEqual(now.queued_turn_ids, []);
    assert.deepEqual(now.pending_permissions, []);
    await this.check_history(engine, round);
  }

  // All that was ever told, told again from the first event: the same, each turn ended once.
  async check_history(engine, round) {
    const again = await watch(engine.port, this.id, { since: this.seen[0].id }, engine.bearer);
    await again.frame(() => again.last_id >= this.seen.at(-1).id);
    assert.deepEqual(again.events.filter(persisted), this.seen.slice(1));
    await again.close();
    const begun = this.seen.filter(({ type }) => type === "turn.started" || type === "turn.queued");
    const ended = this.seen.filter(({ type }) => ends.includes(type));
    assert.deepEqual(
      new Set(ended.map(({ turn_id }) => turn_id)),
      new Set(begun.map(({ turn_id }) => turn_id)),
    );
    assert.equal(ended.length, new Set(ended.map(({ turn_id }) => turn_id)).size);
    const answer = await session_request(
      engine.port,
      "GET",
      `/${this.id}/messages?limit=100`,
      undefined,
      engine.bearer,
    );
    const asked = answer.json.messages.filter(({ turn_id }) => turn_id);
    assert.ok(asked.length > round, `${asked.length} messages after ${round + 1} rounds`);
  }
}

test("killed ten times in every kind of open work", async (t) => {
  const state_dir = temporary_directory();
  const workspace = temporary_directory();
  const server = await new provider_server().listen();
  server.answer = () => ({ bytes: refused(429, { error: { message: "Wait." } }, { "retry-after": "600" }) });
  const options = {
    state_dir,
    config: {
      sessions: { allow_shell: true, providers: { openai: { base_url: `${server.origin}/v1` } } },
      limits: { session_tool_cancel_ms: 60_000, session_tool_kill_ms: 60_000 },
    },
  };
  let engine;
  try {
    engine = await new mortal_engine().start(options);
    const sessions = Object.entries(kinds).map(([name, kind]) => [
      name,
      new mortal_session(kind, workspace),
    ]);
    for (let round = 0; round < rounds; ++round) {
      for (const [name, session] of sessions)
        await session.open(engine, round).catch((problem) => {
          throw new Error(`${name}, round ${round}: ${problem.message}`, { cause: problem });
        });
      await engine.kill();
      for (const [, session] of sessions) session.note();
      engine = await new mortal_engine().start(options);
      for (const [name, session] of sessions)
        await session.check(engine, round).catch((problem) => {
          throw new Error(`${name}, round ${round}: ${problem.message}`, { cause: problem });
        });
    }
    t.diagnostic(`${sessions.length} kinds, ${rounds} kills`);
  } finally {
    await engine?.kill();
    await server.close();
    for (const directory of [state_dir, workspace])
      rmSync(directory, { recursive: true, force: true });
  }
});

// Feeds the session of an agent elsewhere, one event a request, until the engine is dead; answers
// how many were acknowledged.
const feed_until_death = async (engine, id, name) => {
  for (let n = 0; ; ++n) {
    const event = { type: "route.decided", payload: { model: `${name}-${n}` } };
    const answer = await session_request(
      engine.port,
      "POST",
      `/${id}/events`,
      { events: [event] },
      engine.bearer,
    ).catch(() => undefined);
    if (!answer) return n;
    assert.equal(answer.status, 202, answer.text);
  }
};

test("killed ten times while snapshots are written, replays run and events come in", async (t) => {
  const state_dir = temporary_directory();
  const options = { state_dir };
  let engine;
  try {
    engine = await new mortal_engine().start(options);
    const id = await create_session(engine.port);
    const post = async (events) => {
      const answer = await session_request(engine.port, "POST", `/${id}/events`, { events });
      assert.equal(answer.status, 202, answer.text);
    };
    const long = "x".repeat(50_000);
    await post([{ type: "turn.started", turn_id: "turn_a", payload: {} }]);
    for (let n = 0; n < 40; ++n) {
      const message_id = `msg_${n}`;
      await post([
        { type: "message.start", payload: { message_id, role: "assistant", model: "m" } },
        {
          type: "message.complete",
          payload: {
            message_id,
            stop_reason: "end_turn",
            final_content: [{ type: "text", text: `${n} ${long}` }],
          },
        },
      ]);
    }
    await post([{ type: "turn.completed", payload: { status: "completed" } }]);
    const begin = { type: "turn.started", payload: {} };
    const first = await watch(engine.port, id, { snapshot: true });
    await first.frame(({ type }) => type === "snapshot");
    await post([{ ...begin, turn_id: "turn_b" }]);
    const { id: start } = await first.event("turn.started");
    for (let n = 0; n < 3; ++n)
      await post(
        Array.from({ length: 500 }, (_, m) => ({
          type: "route.decided",
          payload: { model: `filler-${500 * n + m}`, why: "y".repeat(300) },
        })),
      );
    await first.close();
    const models = Array.from({ length: 1_500 }, (_, n) => `filler-${n}`);
    let cut_snapshots = 0;
    let cut_replays = 0;
    let open_turn = "turn_b";
    for (let round = 0; round < rounds; ++round) {
      const name = `round-${round}`;
      const acknowledged = feed_until_death(engine, id, name);
      const follower = await watch(engine.port, id, { since: start });
      await follower.frame(() => follower.events.length > 5 + 50 * round);
      const reader = await watch(engine.port, id, { snapshot: true });
      await engine.kill();
      await Promise.all([reader.closed, follower.closed]);
      cut_snapshots += reader.frames.some(({ type }) => type === "snapshot") ? 0 : 1;
      const taken = await acknowledged;
      engine = await new mortal_engine().start(options);

      // The replay goes on where it was cut.
      const later = await watch(engine.port, id, { since: follower.last_id });
      await later.event("turn.cancelled", ({ turn_id }) => turn_id === open_turn);
      const routes = [...follower.events, ...later.events].filter(
        ({ type }) => type === "route.decided",
      );
      assert_rising([...follower.events, ...later.events]);
      const told = routes.map(({ payload }) => payload.model);
      cut_replays += follower.of_type("route.decided").length < models.length ? 1 : 0;
      // What was acknowledged is there; the one that was under way may be.
      const mine = told.filter((model) => model.startsWith(`${name}-`)).length;
      assert.ok(mine === taken || mine === taken + 1, `${mine} of ${taken}`);
      models.push(...Array.from({ length: mine }, (_, n) => `${name}-${n}`));
      assert.deepEqual(told, models);
      await later.close();

      // And a snapshot is whole.
      const again = await watch(engine.port, id, { snapshot: true });
      const { messages } = await again.frame(({ type }) => type === "snapshot");
      assert.deepEqual(
        messages.map(({ content }) => content[0].text),
        Array.from({ length: 40 }, (_, n) => `${n} ${long}`),
      );
      await again.close();
      open_turn = `turn_${round}`;
      await post([{ ...begin, turn_id: open_turn }]);
    }
    t.diagnostic(`${cut_snapshots} snapshots and ${cut_replays} replays were cut`);
    // Which of them a kill meets is up to the machine; a fast one has written a replay at once.
    assert.ok(cut_snapshots + cut_replays > 0);
  } finally {
    await engine?.kill();
    rmSync(state_dir, { recursive: true, force: true });
  }
});
