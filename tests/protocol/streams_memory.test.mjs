// What a stream of small events costs once its buffer is full: nothing more, however many follow.
import assert from "node:assert/strict";
import http from "node:http";
import { test } from "node:test";

import { count_to, peer } from "./support/nats_peer.mjs";

const lists_of = 500;
const connections = 32;

test("memory stays where it is while a million events pass through a stream", async (t) => {
  const engine = await peer.start({ streams: { backend: "memory" } });
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections });
  const body = Buffer.from(
    JSON.stringify(
      count_to(lists_of).map((n) => ({ data: { n, text: "a small event" }, topic: `t.${n % 10}` })),
    ),
  );
  const post = () =>
    new Promise((resolve, reject) => {
      const request = http.request(
        {
          ...{
            host: "127.0.0.1",
            port: engine.port,
            method: "POST",
            path: "/streams/s/events",
            agent,
          },
          headers: { "content-type": "application/json", "content-length": body.length },
        },
        (response) => response.resume().on("end", () => resolve(response.statusCode)),
      );
      request.on("error", reject).end(body);
    });
  const publish = async (events) => {
    let left = events / lists_of;
    await Promise.all(
      count_to(connections).map(async () => {
        while (left-- > 0) assert.equal(await post(), 200);
      }),
    );
  };
  try {
    await engine.create("s", { buffer_size: 1_000 });
    await publish(200_000);
    const before = engine.engine.memory_kb();
    await publish(1_000_000);
    const after = engine.engine.memory_kb();
    t.diagnostic(`${before} kB, then ${after} kB`);
    assert.ok(after - before < 8_192, `${before} kB, then ${after} kB`);
    const stream = await engine.stream("s");
    assert.equal(stream.published_events, 1_200_000);
    assert.equal(stream.buffered_events, 1_000);
  } finally {
    agent.destroy();
    await engine.stop();
  }
});
