// Named streams on NATS JetStream: two engines that share them, a server that is killed and comes
// back, logins, and what a wrong configuration is told. Real engines, a real nats-server.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as rest } from "node:timers/promises";
import { test } from "node:test";

import { wait_until } from "./support/deadline.mjs";
import { binary, clean_environment, temporary_directory } from "./support/engine.mjs";
import { open_stream } from "./support/event_stream.mjs";
import {
  count_to,
  data_of,
  has_nats_client,
  ids_of,
  peer,
  shown,
  skip,
  with_peers,
} from "./support/nats_peer.mjs";
import { ci_failure } from "./support/samples.mjs";

test("what one engine makes, publishes, empties and deletes the other has", { skip }, () =>
  with_peers(2, async (a, b) => {
    await a.create("orders", { buffer_size: 50 });
    const there = await wait_until(
      () => b.stream("orders"),
      () => "no stream",
    );
    assert.equal(there.type, "sse");
    assert.equal(there.buffer_capacity, 50);
    assert.equal((await b.send("POST", "/streams", { name: "orders" })).status, 409);

    const readers = [await a.open("orders"), await b.open("orders")];
    await b.publish("orders", { data: { n: 1 }, topic: "made.now", metadata: { by: "b" } });
    await a.publish("orders", [{ data: 2, event_type: "second" }, { data: 3 }]);
    for (const reader of readers) {
      await reader.event(({ data }) => data === "3");
      assert.deepEqual(data_of(reader), [{ n: 1 }, 2, 3]);
      assert.deepEqual(ids_of(reader), [1, 2, 3]);
    }
    const whole = await open_stream(a.port, {
      path: "/streams/orders/events?format=full&topic=made.*",
      headers: { "last-event-id": "0" },
    });
    await whole.event(({ data }) => data?.includes('"data":3'));
    const [first] = data_of(whole);
    assert.equal(first.topic, "made.now");
    assert.deepEqual(first.metadata, { by: "b" });
    whole.drop();

    assert.equal(
      (await a.send("GET", "/streams/orders")).json.streams[0].buffered_events,
      3,
    );
    const resumed = await b.open("orders", { "last-event-id": "2" });
    await resumed.event(({ data }) => data === "3");
    assert.deepEqual(ids_of(resumed), [3]);
    resumed.drop();

    const purged = await a.call("configure", {
      action: "stream",
      stream_action: "purge",
      stream_name: "orders",
    });
    assert.equal(purged.purged_events, 3);
    await wait_until(
      async () => (await b.stream("orders")).buffered_events === 0,
      () => "still full",
    );

    await b.send("DELETE", "/streams/orders");
    assert.equal((await b.send("GET", "/streams/orders")).status, 404);
    await wait_until(
      async () => (await a.send("GET", "/streams/orders")).status === 404,
      () => "the stream is still there",
    );
    await Promise.all(readers.map((reader) => reader.ended()));
  }),
);

// nats-server 2.9 announces a deletion most of the time.
test("every deletion is noticed by the other engine, whatever the server announces", { skip }, () =>
  with_peers(2, async (a, b) => {
    for (const n of count_to(100)) {
      await a.create(`short${n}`);
      await wait_until(
        () => b.stream(`short${n}`),
        () => "no stream",
      );
      await b.publish(`short${n}`, { data: n });
      await b.send("DELETE", `/streams/short${n}`);
      await wait_until(
        async () => (await a.send("GET", `/streams/short${n}`)).status === 404,
        () => `stream ${n} is still there`,
        { ms: 10_000 },
      );
    }
  }),
);

for (const when_lost of ["wait", "fail"])
  test(`a killed server loses and repeats nothing (when_lost: ${when_lost})`, { skip }, () =>
    with_peers(
      2,
      async (a, b, server) => {
        await a.create("load", { buffer_size: 10_000 });
        await wait_until(
          () => b.stream("load"),
          () => "no stream",
        );
        const readers = [await a.open("load"), await b.open("load")];
        const total = 600;
        const outage = (async () => {
          await wait_until(
            () => shown(readers[0]).length > total / 4,
            () => "too few events",
          );
          await server.kill();
          await rest(700);
          await server.start();
        })();
        // A publisher that repeats what was refused; what is acknowledged must be there once.
        for (const n of count_to(total))
          for (;;) {
            const answer = await a.send("POST", "/streams/load/events", { data: n });
            if (answer.status === 200) break;
            assert.equal(when_lost, "fail", answer.text);
            assert.equal(answer.status, 503, answer.text);
            assert.match(answer.json.message, /NATS server at nats:\/\/127\.0\.0\.1/);
            await rest(20);
          }
        await outage;
        for (const reader of readers) {
          await reader.event(({ data }) => data === String(total - 1));
          assert.deepEqual(data_of(reader), count_to(total));
        }
        assert.deepEqual(ids_of(readers[0]), ids_of(readers[1]));
        // From one engine to the other in the middle.
        const resumed = await b.open("load", { "last-event-id": String(ids_of(readers[0])[299]) });
        await resumed.event(({ data }) => data === String(total - 1));
        assert.deepEqual(data_of(resumed), count_to(total).slice(300));
      },
      { nats: { when_lost } },
    ),
  );

test("a lost server is reported, and publishing says so", { skip }, () =>
  with_peers(1, async (a, server) => {
    await a.create("s");
    assert.equal((await a.health()).reachable, true);
    await server.kill();
    const health = await wait_until(
      async () => {
        const now = await a.health();
        return now.reachable === false && now;
      },
      () => "still reachable",
    );
    assert.match(health.problem, /NATS server at nats:\/\/127/);
    for (const [method, where, body] of [
      ["POST", "/streams/s/events", { data: 1 }],
      ["POST", "/streams", { name: "t" }],
      ["DELETE", "/streams/s"],
    ]) {
      const answer = await a.send(method, where, body);
      assert.equal(answer.status, 503, `${method} ${where}: ${answer.text}`);
      assert.match(answer.json.message, /NATS server/);
    }
    assert.equal((await a.stream("s")).buffered_events, 0);
    await server.start();
    await wait_until(
      async () => (await a.send("POST", "/streams/s/events", { data: 1 })).status === 200,
      () => "still lost",
    );
  }),
);

test("with when_lost wait, calls wait for the server and are carried out in order", { skip }, () =>
  with_peers(
    1,
    async (a, server) => {
      await a.create("s");
      const reader = await a.open("s");
      await server.kill();
      await wait_until(
        async () => (await a.health()).reachable === false,
        () => "still reachable",
      );
      const calls = [];
      for (const n of count_to(5)) {
        calls.push(a.send("POST", "/streams/s/events", { data: n }));
        await wait_until(
          async () => (await a.health()).waiting_calls === n + 1,
          () => `call ${n} does not wait`,
        );
      }
      calls.push(a.send("POST", "/streams", { name: "t" }));
      await server.start();
      for (const answer of await Promise.all(calls)) assert.ok(answer.status < 300, answer.text);
      await reader.event(({ data }) => data === "4");
      assert.deepEqual(data_of(reader), count_to(5));
      assert.equal((await a.health()).waiting_calls, 0);
      // Who waits for a server that never comes back does not keep the engine from ending.
      await server.kill();
      await wait_until(
        async () => (await a.health()).reachable === false,
        () => "still reachable",
      );
      const left = a.send("POST", "/streams/s/events", { data: "late" }).catch((problem) => problem);
      await wait_until(
        async () => (await a.health()).waiting_calls === 1,
        () => "the call does not wait",
      );
      await a.stop();
      const answer = await left;
      assert.ok(answer instanceof Error || answer.status === 503, answer.text);
    },
    { nats: { when_lost: "wait" } },
  ),
);

test("readers get all of a list that is longer than the buffer", { skip }, () =>
  with_peers(2, async (a, b) => {
    await a.create("s", { buffer_size: 10 });
    await wait_until(
      () => b.stream("s"),
      () => "no stream",
    );
    const readers = [await a.open("s"), await b.open("s")];
    const total = 5_000;
    await a.publish("s", count_to(total).map((n) => ({ data: n })));
    for (const reader of readers) {
      await reader.event(({ data }) => data === String(total - 1));
      assert.deepEqual(data_of(reader), count_to(total));
    }
    for (const one of [a, b]) assert.equal((await one.stream("s")).buffered_events, 10);
  }),
);

test("streams outlive the engine, and ids go on", { skip }, () =>
  with_peers(1, async (a, server) => {
    await a.create("kept", { stream_type: "sse", buffer_size: 5 });
    for (const n of count_to(8)) await a.publish("kept", { data: n });
    const b = await peer.start({ nats: { url: server.url } });
    try {
      const reader = await b.open("kept", { "last-event-id": "6" });
      await reader.event(({ data }) => data === "7");
      assert.deepEqual(ids_of(reader), [7, 8]);
      assert.equal((await b.stream("kept")).buffered_events, 5);
      await b.publish("kept", { data: "next" });
      await reader.event(({ data }) => data === '"next"');
      assert.deepEqual(ids_of(reader), [7, 8, 9]);
    } finally {
      await b.stop();
    }
  }),
);

test("alerts are shared when they are to be, redacted", { skip }, () =>
  with_peers(
    2,
    async (a, b) => {
      const readers = [await a.open("$alerts"), await b.open("$alerts")];
      const answer = await a.send(
        "POST",
        "/ci-result",
        ci_failure({ summary: "token ghp_0123456789abcdefghijABCDEFGHIJ456789" }),
      );
      assert.equal(answer.status, 200, answer.text);
      for (const reader of readers) {
        await reader.event(({ event }) => event === "alert");
        const [alert] = data_of(reader);
        assert.equal(alert.category, "ci");
        assert.ok(!JSON.stringify(alert).includes("ghp_"), JSON.stringify(alert));
      }
    },
    { alerts: { share: true } },
  ),
);

test("a user's password or a token logs in; a wrong one is reported without it", { skip }, async () => {
  const login = { server_args: ["--user", "ann", "--pass", "opensesame"] };
  await with_peers(1, (a) => a.create("s"), {
    ...login,
    url: ({ port }) => `nats://ann:opensesame@127.0.0.1:${port}`,
  });
  await with_peers(1, (a) => a.create("s"), {
    server_args: ["--auth", "opensesame"],
    url: ({ port }) => `nats://opensesame@127.0.0.1:${port}`,
  });
  await with_peers(
    1,
    async (a) => {
      const answer = await a.send("POST", "/streams", { name: "s" });
      assert.equal(answer.status, 503);
      assert.match(answer.json.message, /NATS server at nats:\/\/127.*cannot be used/);
      assert.ok(!answer.text.includes("guesswork"), answer.text);
      assert.ok(!a.engine.stderr.includes("guesswork"), a.engine.stderr);
    },
    { ...login, url: ({ port }) => `nats://ann:guesswork@127.0.0.1:${port}` },
  );
});

test("a server that is not there is named", { skip }, async () => {
  const a = await peer.start({ nats: { url: "nats://127.0.0.1:1" } });
  try {
    const answer = await a.send("POST", "/streams", { name: "s" });
    assert.equal(answer.status, 503);
    assert.match(answer.json.message, /nats:\/\/127\.0\.0\.1:1 cannot be used/);
  } finally {
    await a.stop();
  }
});

test("a wrong configuration is refused with what is valid", () => {
  const directory = temporary_directory();
  const file = path.join(directory, "config.json");
  const refusal = (config) => {
    writeFileSync(file, JSON.stringify(config));
    const run = spawnSync(binary, ["doctor", "--config", file, "--state-dir", directory], {
      encoding: "utf8",
      env: clean_environment(directory),
    });
    assert.equal(run.status, 2, run.stdout);
    return run.stderr;
  };
  try {
    assert.match(refusal({ streams: { backend: "kafka" } }), /use "memory" or "nats"/);
    assert.match(refusal({ streams: "nats" }), /must be \{"backend":"memory"\}/);
    assert.match(refusal({ nats: { url: "http://127.0.0.1" } }), /nats:\/\/127\.0\.0\.1:4222/);
    assert.match(refusal({ nats: { url: 4222 } }), /must name a server/);
    assert.match(refusal({ nats: { replicas: 0 } }), /from 1 to 5/);
    assert.match(refusal({ nats: { when_lost: "maybe" } }), /"fail".*"wait"/);
    assert.match(refusal({ nats: { credentials_file: "/no/such" } }), /there is no file/);
    assert.match(refusal({ nats: { tls: { cert: file } } }), /cert and key together/);
    assert.match(refusal({ nats: { tls: { pin: 1 } } }), /known are ca, cert, key/);
    assert.match(refusal({ nats: { port: 1 } }), /known are url, replicas/);
    assert.match(refusal({ alerts: { share: true } }), /alerts\.share needs/);
    assert.match(refusal({ alerts: { share: 1 } }), /"share":true/);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});

const skip_absent = has_nats_client && "this build has a NATS client";
test("a build without a NATS client says so when it is to share streams", { skip: skip_absent }, () => {
  const directory = temporary_directory();
  const file = path.join(directory, "config.json");
  writeFileSync(file, JSON.stringify({ streams: { backend: "nats" } }));
  const run = spawnSync(binary, ["serve", "--config", file, "--state-dir", directory], {
    encoding: "utf8",
    env: clean_environment(directory),
  });
  rmSync(directory, { recursive: true, force: true });
  assert.equal(run.status, 2, run.stdout);
  assert.match(run.stderr, /streams\.backend: this build has no NATS client.*libnats-dev/);
});
