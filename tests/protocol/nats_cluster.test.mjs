// Named streams with three replicas on a cluster of nats-servers of which one is killed: every event
// is at every reader once, in order, and the stream goes on.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as rest } from "node:timers/promises";
import { test } from "node:test";

import { many_calls } from "./support/daemon.mjs";
import { wait_until } from "./support/deadline.mjs";
import { start_engine, temporary_directory } from "./support/engine.mjs";
import { count_to, data_of, ids_of, peer, shown, skip } from "./support/nats_peer.mjs";
import { nats_cluster } from "./support/nats_server.mjs";

const election_ms = 60_000; // leaders are chosen within seconds, on a busy machine within more

const config_for = (nodes) => ({
  streams: { backend: "nats" },
  nats: { url: nodes.map(({ url }) => url).join(","), replicas: 3, when_lost: "wait" },
});
const start_peer = (nodes) => peer.start(config_for(nodes));

// An editor's engine; its config file is in its state directory.
const start_editor = async (nodes) => {
  const state_dir = temporary_directory();
  const file = path.join(state_dir, "test-config.json");
  writeFileSync(file, JSON.stringify({ ...config_for(nodes), ...many_calls }));
  const editor = start_engine({ state_dir, args: ["--config", file] });
  editor.owns_state = true;
  await editor.initialize();
  return editor;
};

// For the length of `use`: a cluster with the stream `load`, an engine that is connected to the node
// that leads the stream, and two that are connected to another.
const with_cluster = async (use) => {
  const cluster = await nats_cluster.start();
  const engines = [];
  try {
    const maker = await start_peer(cluster.nodes);
    engines.push(maker);
    // A cluster that has just begun refuses for a while.
    await wait_until(
      async () => {
        const answer = await maker.send("POST", "/streams", {
          name: "load",
          stream_type: "sse",
          buffer_size: 100_000,
        });
        return answer.status === 201;
      },
      () => `no stream; ${maker.engine.stderr}`,
      { ms: election_ms, every: 200 },
    );
    const made = await cluster.settled("load");
    assert.equal(made.config.num_replicas, 3);
    const leader = cluster.nodes.find(({ name }) => name === made.cluster.leader);
    const others = cluster.nodes.filter((node) => node !== leader);
    const [near, far, editor] = [
      await start_peer([leader, ...others]),
      await start_peer([...others, leader]),
      await start_editor([...others, leader]),
    ];
    engines.push(near, far, editor);
    await use({ cluster, leader, near, far, editor });
    await Promise.all(engines.map((engine) => engine.stop()));
  } finally {
    await Promise.allSettled(engines.map((engine) => engine.stop()));
    await cluster.remove();
  }
};

// Publishes until it is told to stop: lists of so many events, or one at a time.
class publisher {
  published = 0;

  constructor(engine, by, together) {
    const event = () => ({ data: { by, n: this.published++ } });
    this.done = (async () => {
      while (!this.stopped) {
        const answer = await engine.publish(
          "load",
          together > 1 ? count_to(together).map(event) : event(),
        );
        if (together > 1)
          assert.equal(answer.published ?? together, together, JSON.stringify(answer));
        await rest(5);
      }
    })();
    this.done.catch(() => {});
  }

  stop() {
    this.stopped = true;
    return this.done;
  }
}

// Publishes without waiting for the answers.
class hasty_publisher {
  published = 0;

  constructor(editor) {
    this.editor = editor;
    this.done = (async () => {
      for (; !this.stopped; await rest(5)) this.#publish();
      await wait_until(
        () => this.answers.length === this.published,
        () => `${this.answers.length} answers to ${this.published} calls`,
        { ms: election_ms },
      );
      for (const { result } of this.answers) assert.ok(!result.isError, JSON.stringify(result));
    })();
    this.done.catch(() => {});
  }

  get answers() {
    return this.editor.messages.filter((message) => `${message?.id}`.startsWith("hasty"));
  }

  #publish() {
    const n = this.published++;
    const args = { stream_name: "load", data: { by: "hasty", n } };
    this.editor.send({
      ...{ jsonrpc: "2.0", id: `hasty${n}`, method: "tools/call" },
      params: { name: "stream_publish", arguments: args },
    });
  }

  stop() {
    this.stopped = true;
    return this.done;
  }
}

const check_reader = (reader, publishers) => {
  assert.ok(!reader.closed, "the reader was let go");
  for (const [by, { published }] of Object.entries(publishers))
    assert.deepEqual(
      data_of(reader)
        .filter((one) => one.by === by)
        .map(({ n }) => n),
      count_to(published),
      by,
    );
};

test("the leader of a stream is killed", { skip }, () =>
  with_cluster(async ({ cluster, leader, near, far, editor }) => {
    const readers = [await near.open("load"), await far.open("load")];
    const publishers = {
      one: new publisher(far, "one", 1),
      lists: new publisher(near, "lists", 20),
      hasty: new hasty_publisher(editor),
    };
    const count = () => shown(readers[0]).length;
    const more_than = (n, what) =>
      wait_until(
        () =>
          Promise.all(readers.map((reader) => shown(reader).length > n)).then((all) =>
            all.every(Boolean),
          ),
        () =>
          `${what}: ${readers.map((reader) => shown(reader).length)} of more than ${n}; ${near.engine.stderr} ${far.engine.stderr}`,
        { ms: election_ms },
      );
    await more_than(300, "before");
    await leader.kill();
    await more_than(count() + 300, "after the kill");
    await leader.start();
    await more_than(count() + 300, "after the restart");
    await Promise.all(Object.values(publishers).map((one) => one.stop()));
    const total = Object.values(publishers).reduce((sum, { published }) => sum + published, 0);
    await more_than(total - 1, "at the end");
    for (const reader of readers) check_reader(reader, publishers);
    assert.deepEqual(ids_of(readers[0]), ids_of(readers[1]));
    assert.deepEqual(
      ids_of(readers[0]),
      count_to(total).map((n) => n + 1),
    );
    const { state, cluster: now } = await cluster.settled("load");
    assert.equal(state.messages, total);
    assert.notEqual(now.leader, undefined);
    for (const reader of readers) reader.drop();
  }),
);
