// Big events and many of them: who reads gets them as fast as the machine carries them, and is not
// taken for one who does not.
import assert from "node:assert/strict";
import http from "node:http";
import net from "node:net";
import { test } from "node:test";

import { with_daemon } from "./support/daemon.mjs";
import { patience_ms, wait_until } from "./support/deadline.mjs";
import {
  attach,
  client_frame,
  create_session,
  handshake_lines,
  session_request,
  watch,
} from "./support/session_client.mjs";

const begin = async (port) => {
  const id = await create_session(port);
  const answer = await session_request(port, "POST", `/${id}/events`, {
    type: "turn.started",
    turn_id: "turn_a",
    payload: {},
  });
  assert.equal(answer.status, 202, answer.text);
  return id;
};

const result_of = (bytes) => ({
  type: "tool.completed",
  payload: { tool_use_id: "t", tool_name: "read", result: "x".repeat(bytes) },
});

// A subscribed client that only counts what comes: when the first byte came, and the last.
const counting_client = async (port, id) => {
  const { ws_url } = await attach(port, id);
  const url = new URL(ws_url);
  const socket = net.connect(port, "127.0.0.1");
  const seen = { bytes: 0, first: 0, last: 0, ended: false };
  socket.on("data", ({ length }) => {
    seen.bytes += length;
    seen.last = performance.now();
    seen.first ||= seen.last;
  });
  socket.on("error", () => {});
  socket.on("close", () => (seen.ended = true));
  socket.write(
    `GET ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\n${handshake_lines.join("\r\n")}\r\n\r\n`,
  );
  await wait_until(
    () => seen.bytes > 0,
    () => "no handshake",
  );
  const before = seen.bytes;
  socket.write(client_frame(1, JSON.stringify({ type: "subscribe", filter: "preset:full" })));
  await wait_until(
    () => seen.bytes > before + 100,
    () => "no acknowledgement",
  );
  return { seen, socket };
};

test("an event of 4 MB comes as fast as loopback carries it, to one and to many", (t) =>
  with_daemon(async (engine, port) => {
    const id = await begin(port);
    const size = 4 << 20;
    for (const count of [1, 50]) {
      const clients = [];
      for (let n = 0; n < count; ++n) clients.push(await counting_client(port, id));
      const marks = clients.map(({ seen }) => seen.bytes);
      for (const { seen } of clients) seen.first = 0;
      const memory = engine.memory_kb();
      const answer = await session_request(port, "POST", `/${id}/events`, result_of(size));
      assert.equal(answer.status, 202, answer.text);
      await wait_until(
        () => clients.every(({ seen }, n) => seen.bytes - marks[n] > size),
        () => `${clients.filter(({ seen }, n) => seen.bytes - marks[n] > size).length} of ${count}`,
      );
      const begun = Math.min(...clients.map(({ seen }) => seen.first));
      const took = Math.max(...clients.map(({ seen }) => seen.last)) - begun;
      t.diagnostic(`${count}: ${took.toFixed(1)} ms, ${engine.memory_kb() - memory} kB`);
      assert.ok(took < 500 + 40 * count, `${took} ms for ${count}`);
      // The event is shared, not copied for each.
      assert.ok(engine.memory_kb() - memory < 120_000, `${engine.memory_kb() - memory} kB`);
      for (const { socket } of clients) socket.destroy();
    }
  }));

test("a thousand events of 8 KB in a second close nobody who reads", (t) =>
  with_daemon(async (_, port) => {
    const id = await begin(port);
    const clients = await Promise.all([1, 2, 3].map(() => counting_client(port, id)));
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    const batch = JSON.stringify({ events: Array.from({ length: 20 }, () => result_of(8 << 10)) });
    const post = () =>
      new Promise((resolve, reject) => {
        const request = http.request(
          {
            host: "127.0.0.1",
            port,
            method: "POST",
            path: `/sessions/${id}/events`,
            agent,
            headers: { "content-type": "application/json", "content-length": batch.length },
          },
          (response) => response.resume().on("end", () => resolve(response.statusCode)),
        );
        request.on("error", reject).end(batch);
      });
    const started = performance.now();
    for (let n = 0; n < 100; ++n) assert.equal(await post(), 202);
    const wanted = 2_000 * (8 << 10);
    await wait_until(
      () => clients.every(({ seen }) => seen.ended || seen.bytes > wanted),
      () => clients.map(({ seen }) => seen.bytes).join(", "),
      { ms: patience_ms },
    );
    t.diagnostic(`2000 events in ${Math.round(performance.now() - started)} ms`);
    assert.ok(clients.every(({ seen }) => !seen.ended && seen.bytes > wanted));
    agent.destroy();
    for (const { socket } of clients) socket.destroy();
  }));

test("what a watcher was sent is counted when its socket has taken it", () =>
  with_daemon(
    async (_, port) => {
      const id = await begin(port);
      const watcher = await watch(port, id, { filter: { event_types: ["bus.subscriber_unregistered"] } });
      const { seen, socket } = await counting_client(port, id);
      socket.pause();
      for (let n = 0; n < 400 && !watcher.types.length; ++n)
        await session_request(port, "POST", `/${id}/events`, {
          events: Array.from({ length: 5 }, () => result_of(32 << 10)),
        });
      const { payload } = await watcher.event("bus.subscriber_unregistered");
      assert.equal(payload.reason, "client_too_slow");
      const before = seen.bytes;
      socket.resume();
      await wait_until(
        () => seen.ended,
        () => "still open",
      );
      // What was under way then may follow before the close frame; nothing that was counted is missing.
      const whole = Math.floor((seen.bytes - before) / (32 << 10));
      assert.ok(payload.written > 0 && payload.written <= whole, `${payload.written} of ${whole}`);
      assert.ok(whole <= payload.written + 50, `${whole} read, ${payload.written} written`);
      await watcher.close();
    },
    { config: { limits: { session_client_queue: 50, session_close_ms: 2_000 } } },
  ));
