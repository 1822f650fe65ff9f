// Readers over SSE whose connection is cut twice a second while others publish: with Last-Event-ID
// each gets every event once, in order, from one engine and from two that share streams over NATS.
// `GASOLINE_CUT_SECONDS` sets how long it lasts.
import assert from "node:assert/strict";
import { setTimeout as rest } from "node:timers/promises";
import { test } from "node:test";

import { patience_ms, wait_until } from "./support/deadline.mjs";
import { number_of } from "./support/event_stream.mjs";
import { count_to, peer, skip, with_peers } from "./support/nats_peer.mjs";

const seconds = Number(process.env.GASOLINE_CUT_SECONDS ?? 10);
const cut_every_ms = 500;

// Reads a stream from the beginning, from one engine after the other, until it is told to stop.
class cut_reader {
  ids = [];
  values = [];
  cuts = 0;
  #last = "0";

  constructor(engines, name) {
    this.#run(engines, name).catch((problem) => (this.problem = problem));
  }

  async #run(engines, name) {
    for (; !this.stopped; this.cuts += 1) {
      const engine = engines[this.cuts % engines.length];
      const stream = await engine.open(name, { "last-event-id": this.#last });
      await Promise.race([rest(cut_every_ms), stream.end]);
      stream.drop();
      // What came in before the cut is all that it knows.
      for (const { id, data } of stream.events.splice(0)) {
        if (data === undefined) continue;
        this.ids.push(number_of(id));
        this.values.push(JSON.parse(data).n);
        this.#last = id;
      }
    }
  }
}

// Publishes one event after the other, now and then a list of them, as engines take turns.
const publish_for = async (engines, name, ms) => {
  const end = performance.now() + ms;
  let n = 0;
  const event = () => ({ data: { n: n++, pad: "x".repeat(200) }, topic: `t.${n % 3}` });
  for (let turn = 0; performance.now() < end; turn += 1) {
    const engine = engines[turn % engines.length];
    await engine.publish(name, turn % 10 === 0 ? count_to(20).map(event) : event());
    await rest(2);
  }
  return n;
};

const cut_and_check = async (engines) => {
  const [first] = engines;
  await first.create("cut", { buffer_size: 100_000 });
  for (const engine of engines)
    await wait_until(
      () => engine.stream("cut"),
      () => "no stream",
    );
  const readers = count_to(5).map(() => new cut_reader(engines, "cut"));
  const total = await publish_for(engines, "cut", seconds * 1_000);
  const done = ({ values, problem }) => problem || values.length >= total;
  await wait_until(
    () => readers.every(done),
    () => readers.map(({ values }) => `${values.length} of ${total}`).join(", "),
    { ms: patience_ms + seconds * 1_000 },
  );
  for (const reader of readers) {
    reader.stopped = true;
    assert.equal(reader.problem, undefined);
    assert.deepEqual(reader.values, count_to(total));
    assert.deepEqual(
      reader.ids,
      count_to(total).map((n) => n + 1),
    );
    assert.ok(reader.cuts > seconds, `${reader.cuts} cuts`);
  }
  return `${total} events, ${readers.map(({ cuts }) => cuts).join(", ")} cuts`;
};

test("streams within one engine", async (t) => {
  const engine = await peer.start({ streams: { backend: "memory" } });
  try {
    t.diagnostic(await cut_and_check([engine]));
  } finally {
    await engine.stop();
  }
});

test("streams that two engines share over NATS", { skip }, (t) =>
  with_peers(2, async (a, b) => t.diagnostic(await cut_and_check([a, b]))),
);
