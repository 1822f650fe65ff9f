// The JavaScript module for agent sessions against the real engine: many clients whose connections
// are cut at random under load, an engine that is killed within turns, and every way back.
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { test } from "node:test";

import { text_of } from "../../tools/page_script/session_client/session_view.mjs";
import { cutting_proxy, random_of } from "./support/cutting_proxy.mjs";
import { start_daemon, with_daemon } from "./support/daemon.mjs";
import { wait_until } from "./support/deadline.mjs";
import { temporary_directory } from "./support/engine.mjs";
import { ci_failure } from "./support/samples.mjs";
import {
  assert_rising,
  create_session,
  script_of,
  session_request,
  spoken,
  submit,
} from "./support/session_client.mjs";
import { watching_client } from "./support/watching_client.mjs";

const transient = ["message.", "text.", "thinking.", "tool.use_"];
const is_stored = ({ type }) => !transient.some((prefix) => type.startsWith(prefix));

// A session of an engine, and clients of it.
class followed_session {
  clients = [];

  constructor(port, id) {
    this.port = port;
    this.id = id;
  }

  static async create(port, calls, more) {
    const id = await create_session(port, { script: script_of(...calls), ...more });
    return new followed_session(port, id);
  }

  follow(options) {
    const client = new watching_client(this.port, this.id, options);
    this.clients.push(client);
    return client;
  }

  submit(content = "go") {
    return submit(this.port, this.id, content);
  }

  request(method, path = "", body) {
    return session_request(this.port, method, `/${this.id}${path}`, body);
  }

  async messages() {
    return (await this.request("GET", "/messages?limit=1000")).json.messages;
  }

  stop() {
    for (const client of this.clients) client.stop();
  }
}

// For the length of `use`: a session whose model calls are answered so.
const with_session = (calls, use, { config, ...more } = {}) =>
  with_daemon(
    async (engine, port) => {
      const session = await followed_session.create(port, calls, more);
      try {
        await use(session, engine);
      } finally {
        session.stop();
      }
    },
    { config },
  );

const with_proxy = async (port, use) => {
  const proxy = await new cutting_proxy(port).listen();
  try {
    await use(proxy);
  } finally {
    await proxy.close();
  }
};

// What the assistant has said, message by message.
const said = (messages) =>
  messages.filter(({ role }) => role === "assistant").map(({ content }) => content);

const numbered = (call, count) =>
  Array.from({ length: count }, (_, n) => `${call}.${n} äß€😀${"x".repeat(n % 50)} `);

// 20 clients, each connection good for 3 to 15 KB, in turns of 200 deltas with thinking and tools.
test("clients that are cut at random under load put together what was said", async () => {
  const seed = Date.now() & 0xffff;
  const random = random_of(seed);
  const turns = 6;
  const calls = Array.from({ length: turns }, (_, turn) => {
    const thoughts = [{ thinking: `Turn ${turn}: ` }, { thinking: "think.", signature: "c2ln" }];
    return [...thoughts, ...spoken(numbered(turn, 200), 1)];
  });
  await with_session(calls, async (session) =>
    with_proxy(session.port, async (proxy) => {
      proxy.cut_after = () => 3_000 + Math.floor(random() * 12_000);
      const steady = session.follow({ filter: "preset:full" });
      const shaken = Array.from({ length: 20 }, () => session.follow({ proxy }));
      await steady.live();
      for (let turn = 0; turn < turns; ++turn) await steady.turn_ended(await session.submit());
      const last = steady.view.turn.id;
      proxy.cut_after = () => Infinity;
      // A snapshot after the last turn shows no turn at all.
      for (const client of shaken)
        await client.until(({ turn, messages }) =>
          turn ? turn.id === last && turn.status !== "in_flight" : messages.length === 2 * turns,
        );
      const stored = said(await session.messages());
      assert.deepEqual(
        stored.map((content) => text_of({ content })),
        [...Array.from({ length: turns }, (_, turn) => numbered(turn, 200).join(""))],
      );
      assert.equal(steady.view.repaired, 0);
      assert.equal(steady.connections, 1);
      const told = steady.events.filter(is_stored);
      for (const [n, client] of shaken.entries()) {
        const at = `client ${n}, seed ${seed}`;
        assert.deepEqual(said(client.view.messages), stored, at);
        assert.deepEqual(client.mended, [], at);
        assert_rising(client.events);
        const first = client.events[0]?.id ?? "no event";
        assert.deepEqual(
          client.events.filter(is_stored).map(({ id }) => id),
          told
            .filter(({ id, type }) => id >= first && !type.startsWith("bus."))
            .map(({ id }) => id),
          at,
        );
      }
      assert.ok(proxy.cuts >= 20, `only ${proxy.cuts} cuts`);
      const cut = shaken.filter(({ connections }) => connections > 1);
      assert.ok(cut.length >= 10, `only ${cut.length} clients were cut after they had subscribed`);
    }),
  );
});

// For the length of `use`: a session of an engine that can be ended and started again.
const with_restarts = async (calls, use) => {
  const state_dir = temporary_directory();
  let engine = start_daemon({ state_dir });
  let session;
  try {
    const port = await engine.port();
    session = await followed_session.create(port, calls);
    await use(session, {
      kill: async () => {
        engine.child.kill("SIGKILL");
        await engine.exited;
      },
      stop: () => engine.stop(),
      start: () => (engine = start_daemon({ state_dir, port })),
    });
    await engine.stop();
  } finally {
    session?.stop();
    engine.child.kill("SIGKILL");
    await engine.exited;
    rmSync(state_dir, { recursive: true, force: true });
  }
};

const words_in = (message) => text_of(message).split(" ").length;

// Before, within and after a message.
test("an engine that is killed within turns comes back to the same clients", async () => {
  const rounds = 20;
  const random = random_of(7);
  const calls = Array.from({ length: rounds + 1 }, (_, n) => spoken(numbered(n, 60), 3));
  await with_restarts(calls, async (session, engine) => {
    const clients = Array.from({ length: 5 }, () => session.follow());
    for (const client of clients) await client.live();
    for (let round = 0; round < rounds; ++round) {
      const id = await session.submit();
      const spoken_by_then = Math.floor(random() * 40);
      await clients[0].until(
        ({ messages, turn }) => turn?.id === id && words_in(messages.at(-1)) > spoken_by_then,
      );
      await engine.kill();
      engine.start();
      for (const client of clients) {
        await client.turn_ended(id);
        assert.equal(client.view.turn.status, "cancelled");
        assert.equal(client.view.turn.reason, "server_restart");
        assert.ok(client.view.messages.every(({ status }) => status !== "streaming"));
        assert.equal(client.snapshots, 1, "the first one");
      }
    }
    const last = await session.submit();
    for (const client of clients) {
      await client.turn_ended(last);
      assert.equal(client.view.turn.status, "completed");
      assert_rising(client.events);
    }
    const asked = (await session.messages()).filter(({ role }) => role === "user");
    assert.equal(asked.length, rounds + 1, "every turn that was accepted is stored");
    const [stored, ...others] = clients.map(({ events }) =>
      events.filter(is_stored).map(({ id }) => id),
    );
    for (const other of others) assert.deepEqual(other, stored);
  });
});

test("an engine that ends in order and starts again is waited for", async () => {
  await with_restarts([spoken(["one"]), spoken(["two"])], async (session, engine) => {
    const client = session.follow();
    await client.live();
    await client.turn_ended(await session.submit());
    await engine.stop();
    await client.until(() => client.state !== "live");
    engine.start();
    await client.until(() => client.connections === 2);
    await client.turn_ended(await session.submit());
    assert.deepEqual(client.view.messages.map(text_of), ["go", "one", "go", "two"]);
  });
});

// A client that was away for too long, or has a cursor of another time, starts from a snapshot.
test("replays that are too large and cursors that are expired end in a snapshot", async () => {
  const turns = 6;
  const calls = Array.from({ length: turns }, (_, n) => spoken([`turn ${n}`]));
  const config = { limits: { session_replay_events: 12 } };
  await with_session(
    calls,
    async (session) =>
      with_proxy(session.port, async (proxy) => {
        const steady = session.follow();
        const away = session.follow({ proxy });
        await steady.live();
        await away.live();
        proxy.open_to_all = false;
        proxy.cut_all();
        for (let turn = 0; turn < turns; ++turn) await steady.turn_ended(await session.submit());
        proxy.open_to_all = true;
        const strange = ["evt_00000000000000000000000000", "evt_7ZZZZZZZZZZZZZZZZZZZZZZZZZ", "?"];
        const lost = strange.map((since) => session.follow({ since }));
        for (const client of [away, ...lost]) {
          await client.until(({ messages }) => messages.length === 2 * turns);
          assert.deepEqual(said(client.view.messages), said(steady.view.messages));
          assert.ok(!client.types().includes("turn.started"), "nothing is replayed");
        }
      }),
    { config },
  );
});

test("a cancel of one client ends the turn for all, in order", async () => {
  const calls = [spoken(numbered(0, 10_000), 5), spoken(["again"])];
  await with_session(calls, async (session) => {
    const clients = [session.follow(), session.follow()];
    for (const client of clients) await client.live();
    const turn = await session.submit();
    await clients[0].until(({ messages }) => messages.length === 2 && text_of(messages[1]) !== "");
    clients[1].follower.cancel(turn, "enough");
    clients[1].follower.cancel(turn, "enough");
    for (const client of clients) {
      await client.turn_ended(turn);
      assert.equal(client.view.turn.reason, "enough");
      assert.equal(client.view.messages.at(-1).status, "cancelled");
      assert.equal(client.view.repaired, 0);
      assert.deepEqual(client.types().slice(-3), [
        "message.complete",
        "llm.call_failed",
        "turn.cancelled",
      ]);
    }
    const [one, two] = clients.map(({ view }) => said(view.messages));
    assert.deepEqual(one, two);
    await clients[0].turn_ended(await session.submit());
    assert.equal(text_of(clients[0].view.messages.at(-1)), "again");
  });
});

// It is sent again on every connection until the turn has ended.
test("a cancel of a client without a connection arrives", async () => {
  await with_session([spoken(numbered(0, 10_000), 5)], (session) =>
    with_proxy(session.port, async (proxy) => {
      const client = session.follow({ proxy });
      await client.live();
      const turn = await session.submit();
      proxy.open_to_all = false;
      proxy.cut_all();
      await client.until(() => client.state !== "live");
      client.follower.cancel(turn);
      proxy.open_to_all = true;
      await client.turn_ended(turn);
      assert.equal(client.view.turn.status, "cancelled");
    }),
  );
});

test("a worker shows as its delegation, or with all it does", async () => {
  const script = script_of(spoken(["I ", "count ", "three."]));
  const delegated = { tool_use: { name: "delegate", input: { task: "count", script } } };
  const calls = [{ steps: [delegated], stop_reason: "tool_use" }, spoken(["Three."])];
  await with_session(
    calls,
    async (session) => {
      const [hidden, shown] = [false, true].map((include_worker_sessions) =>
        session.follow({ filter: { event_types: null, include_worker_sessions } }),
      );
      for (const client of [hidden, shown]) await client.live();
      const turn = await session.submit();
      for (const client of [hidden, shown]) {
        await client.turn_ended(turn);
        assert.equal(text_of(client.view.messages.at(-1)), "Three.");
        assert.equal(client.view.workers.length, 1);
        assert.equal(client.view.workers[0].status, "completed");
        assert.equal(client.view.tools[0].result, "I count three.");
        assert.equal(client.view.repaired, 0);
      }
      assert.deepEqual(hidden.view.workers[0].messages, []);
      assert.deepEqual(shown.view.workers[0].messages.map(text_of), ["count", "I count three."]);
    },
    { tools: ["delegate"] },
  );
});

test("unknown events, alerts and feedback reach the program", async () => {
  const event = { type: "made.up.thing", payload: { n: 1 } };
  const calls = [[{ text: "a" }, { event }, { text: "b" }]];
  await with_session(calls, async (session, engine) => {
    const client = session.follow({ filter: "preset:full" });
    await client.live();
    await client.turn_ended(await session.submit());
    assert.ok(client.types().includes("made.up.thing"));
    assert.deepEqual(
      client.view.unknown.map(({ payload }) => payload),
      [{ n: 1 }],
    );
    const message = client.view.messages.at(-1);
    assert.equal(text_of(message), "ab");
    const feedback = await session.request("POST", `/messages/${message.id}/feedback`, {
      rating: "good",
    });
    assert.equal(feedback.status, 201, feedback.text);
    await client.until(() => message.feedback?.rating === "good");
    const posted = await engine.post("/ci-result", ci_failure({ source: "joins-in" }));
    assert.equal(posted.status, 200, posted.text);
    await client.until(({ alerts }) => alerts.some(({ title }) => title.includes("joins-in")));
  });
});

test("pings are answered while nothing happens; a deleted session is the end", async () => {
  const config = { limits: { session_ping_ms: 50, session_pings_missed: 2 } };
  await with_session(
    [],
    async (session) => {
      let pings = 0;
      class counting extends WebSocket {
        constructor(url) {
          super(url);
          this.addEventListener("message", ({ data }) => {
            if (JSON.parse(data).type === "ping") pings += 1;
          });
        }
      }
      const client = session.follow({ WebSocket: counting });
      await client.live();
      await wait_until(
        () => pings >= 10,
        () => `${pings} pings, ${client.state}`,
      );
      assert.equal(client.connections, 1);
      assert.equal((await session.request("DELETE")).status, 204);
      await client.until(() => client.end !== undefined);
      assert.equal(client.end.code, "session_deleted");
      const late = session.follow();
      await late.until(() => late.end !== undefined);
      assert.equal(late.end.code, "session_not_found");
    },
    { config },
  );
});
