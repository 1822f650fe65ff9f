// The engine dies and its clients go on.
import assert from "node:assert/strict";
import { test } from "node:test";

import { bound, wait_until } from "./support/deadline.mjs";
import { pause_process } from "./support/paused_process.mjs";
import { ci_failure } from "./support/samples.mjs";
import { initialized, with_shared_state } from "./support/shared_engine.mjs";

// An engine and `n` clients attached to it, all with their handshake done.
const with_attached = (n, use) =>
  with_shared_state(async ({ state_dir, start }) => {
    const engine = await initialized(start());
    const clients = await Promise.all(Array.from({ length: n }, () => initialized(start())));
    assert.ok(clients.every((c) => c.engine_pid === engine.pid));
    await use({ state_dir, start, engine, clients });
  });

const kill = async (client) => {
  client.child.kill("SIGKILL");
  await client.exited;
};

const next_health = async (client) => {
  const started = performance.now();
  const health = await client.health();
  const took = performance.now() - started;
  assert.ok(took < bound(2000), `the next call took ${Math.round(took)} ms`);
  return health;
};

test("kill -9 with three clients attached: each next call is answered within 2 s", async () => {
  await with_attached(3, async ({ engine, clients }) => {
    const port = await engine.port();
    engine.child.kill("SIGKILL");
    const healths = await Promise.all(clients.map(next_health));
    const pids = new Set(healths.map((h) => h.pid));
    assert.equal(pids.size, 1, `engines: ${[...pids]}`);
    assert.ok(clients.some((c) => pids.has(c.pid)));
    const last = await wait_until(
      async () => {
        const health = await clients[0].health();
        return health.clients.length === 3 && health.port ? health : undefined;
      },
      () => "not all clients came back",
      { every: 250 },
    );
    assert.equal(last.port, port, "the old port");
    assert.ok(last.clients.every((c) => c.name === "protocol tests"));
  });
});

test("again and again, until one client is left", async () => {
  await with_attached(4, async ({ engine, clients }) => {
    let dead = engine;
    const left = [...clients];
    while (left.length > 0) {
      await kill(dead);
      const [{ pid }] = await Promise.all(left.map(next_health));
      const heir = left.findIndex((c) => c.pid === pid);
      assert.ok(heir >= 0);
      [dead] = left.splice(heir, 1);
    }
    dead.child.stdin.end();
    assert.deepEqual(await dead.end(), { code: 0, signal: null });
  });
});

test("handshake, level and streaming are carried over; replayed answers are not shown", async () => {
  await with_attached(2, async ({ engine, clients: [client, other] }) => {
    await client.request("logging/setLevel", { level: "error" });
    await client.stream({ streaming_action: "enable", throttle_seconds: 7, events: ["ci"] });
    const lines = client.lines.length;
    await kill(engine);
    const status = await client.stream({ streaming_action: "status" });
    assert.equal(client.lines.length, lines + 1, client.lines.slice(lines).join("\n"));
    assert.equal(status.config.enabled, true);
    assert.equal(status.config.throttle_seconds, 7);
    client.known_port = (await next_health(client)).port || undefined;
    await client.post("/ci-result", ci_failure());
    const told = await client.message((m) => m.method === "notifications/message", { from: lines });
    assert.equal(told.params.data.category, "ci");
    assert.equal(other.notifications.length, 0);
    const { config } = await other.stream({ streaming_action: "status" });
    assert.equal(config.enabled, false);
  });
});

test("what was refused is not in force after a takeover, what was agreed is", async () => {
  await with_attached(2, async ({ engine, clients: [client, other] }) => {
    await client.stream({ streaming_action: "enable", throttle_seconds: 7, events: ["ci"] });
    const wrong = { action: "streaming", streaming_action: "enable", events: ["eror"] };
    assert.equal((await client.call("configure", wrong)).isError, true);
    await client.request("logging/setLevel", { level: "error" });
    assert.ok((await client.request("logging/setLevel", { level: "loud" })).error);
    await client.request("resources/subscribe", { uri: "gasoline://ci" });
    assert.ok((await client.request("resources/unsubscribe", { uri: "gasoline://no" })).error);
    assert.ok((await client.request("initialize", { capabilities: {} })).error);
    assert.equal((await other.call("configure", wrong)).isError, true);
    // As some clients write it.
    await other.stream({ streaming_action: "enable", events: '["errors"]', throttle_seconds: "9" });
    await kill(engine);
    const { config } = await client.stream({ streaming_action: "status" });
    assert.deepEqual([config.enabled, config.throttle_seconds], [true, 7]);
    const others = (await other.stream({ streaming_action: "status" })).config;
    assert.deepEqual([others.enabled, others.throttle_seconds], [true, 9]);
    assert.deepEqual(others.events, ["errors"]);
    const from = client.messages.length;
    client.known_port = (await next_health(client)).port || undefined;
    await client.post("/ci-result", ci_failure());
    await client.message((m) => m.method === "notifications/resources/updated", { from });
    const told = await client.message((m) => m.method === "notifications/message", { from });
    assert.equal(told.params.data.category, "ci");
  });
});

test("a client that begins anew takes nothing of before to the next engine", async () => {
  await with_attached(2, async ({ engine, clients: [client] }) => {
    await client.stream({ streaming_action: "enable", throttle_seconds: 1 });
    await client.request("resources/subscribe", { uri: "gasoline://ci" });
    await client.initialize();
    await kill(engine);
    const { config } = await client.stream({ streaming_action: "status" });
    assert.equal(config.enabled, false);
    client.known_port = (await next_health(client)).port || undefined;
    const from = client.messages.length;
    await client.post("/ci-result", ci_failure());
    assert.equal((await client.observe({ what: "ci" })).count, 1);
    await client.assert_alive();
    assert.deepEqual(
      client.messages.slice(from).filter((m) => m.method),
      [],
    );
  });
});

test("requests under way get -32000, are not answered twice, and the next one works", async () => {
  await with_attached(2, async ({ engine, clients: [client] }) => {
    const from = client.messages.length;
    client.send({
      jsonrpc: "2.0",
      id: "waiting",
      method: "tools/call",
      params: { name: "observe", arguments: { what: "alerts", wait_seconds: 50 } },
    });
    await client.assert_alive();
    await kill(engine);
    const answer = await client.answer("waiting", { from });
    assert.equal(answer.error.code, -32000);
    assert.equal(answer.error.message, "engine restarted, call again");
    assert.equal((await client.observe({ what: "alerts" })).count, 0);
    assert.equal(client.messages.filter((m) => m.id === "waiting").length, 1);
  });
});

test("what the client sends meanwhile is answered in the end", async () => {
  await with_attached(2, async ({ engine, clients: [client] }) => {
    await pause_process(engine.pid);
    const ids = Array.from({ length: 40 }, (_, i) => `meanwhile ${i}`);
    const first = ids.slice(0, 20);
    for (const id of first) client.send({ jsonrpc: "2.0", id, method: "tools/list" });
    engine.child.kill("SIGKILL");
    for (const id of ids.slice(20)) client.send({ jsonrpc: "2.0", id, method: "tools/list" });
    const answers = await Promise.all(ids.map((id) => client.answer(id)));
    for (const { result, error } of answers)
      assert.ok(result?.tools.length > 0 || error?.code === -32000);
    assert.ok(answers.at(-1).result, "the last one was sent to the new engine");
    assert.equal(new Set(client.messages.map((m) => m.id)).size, client.messages.length);
  });
});

test("a client that was attached but had not spoken yet", async () => {
  await with_shared_state(async ({ start }) => {
    const engine = await initialized(start());
    const quiet = start();
    await wait_until(
      async () => (await engine.health()).clients.length === 2,
      () => "not attached",
      { every: 100 },
    );
    await kill(engine);
    await initialized(quiet);
    assert.equal(quiet.engine_pid, quiet.pid);
    assert.equal(quiet.lines.length, 2);
  });
});

test("a client of 2026-07-28 goes on without any handshake", async () => {
  await with_shared_state(async ({ start }) => {
    const engine = await initialized(start());
    const client = start();
    const call = () =>
      client.request("tools/call", {
        name: "configure",
        arguments: { action: "health" },
        _meta: {
          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientCapabilities": {},
        },
      });
    const pid_in = ({ result }) => JSON.parse(result.content[0].text).pid;
    assert.equal(pid_in(await call()), engine.pid);
    await kill(engine);
    assert.equal(pid_in(await call()), client.pid);
  });
});

test("an engine that is ended in order is taken over as well, as is a daemon", async () => {
  await with_attached(2, async ({ engine, clients }) => {
    engine.child.kill("SIGTERM");
    assert.deepEqual(await engine.exited, { code: 0, signal: null });
    const [{ pid }] = await Promise.all(clients.map(next_health));
    const heir = clients.find((c) => c.pid === pid);
    assert.ok(heir);
    heir.child.kill("SIGTERM");
    assert.deepEqual(await heir.exited, { code: 0, signal: null });
    const [last] = clients.filter((c) => c !== heir);
    assert.equal((await next_health(last)).pid, last.pid);
  });
});

test("an heir whose own client leaves serves on, then ends with the last one", async () => {
  await with_attached(2, async ({ engine, clients }) => {
    await kill(engine);
    const [{ pid }] = await Promise.all(clients.map(next_health));
    const heir = clients.find((c) => c.pid === pid);
    const other = clients.find((c) => c !== heir);
    heir.child.stdin.end();
    await wait_until(
      async () => (await other.health()).clients.length === 1,
      () => "the heir's client is still listed",
      { every: 250 },
    );
    assert.equal((await other.health()).pid, heir.pid);
    other.child.stdin.end();
    assert.deepEqual(await other.end(), { code: 0, signal: null });
    assert.deepEqual(await heir.end(), { code: 0, signal: null });
  });
});

test("SIGTERM and EOF end an attached client at once and leave the engine alone", async () => {
  await with_attached(2, async ({ engine, clients: [first, second] }) => {
    first.child.kill("SIGTERM");
    second.child.stdin.end();
    assert.deepEqual(await first.exited, { code: 0, signal: null });
    assert.deepEqual(await second.exited, { code: 0, signal: null });
    await wait_until(
      async () => (await engine.health()).clients.length === 1,
      () => "they are still listed",
      { every: 250 },
    );
  });
});
