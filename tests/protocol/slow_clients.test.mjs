// Clients that take what they are sent slowly or not at all, that leave with bytes of theirs unread,
// and that come back for messages that are gone.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import net from "node:net";
import path from "node:path";
import { setTimeout as rest } from "node:timers/promises";
import { test } from "node:test";

import { with_daemon } from "./support/daemon.mjs";
import { wait_until } from "./support/deadline.mjs";
import { temporary_directory, with_engine } from "./support/engine.mjs";
import { http_request } from "./support/http.mjs";
import { http_session, modern_request } from "./support/mcp_http.mjs";

const congested_config = () => {
  const file = path.join(temporary_directory(), "config.json");
  writeFileSync(
    file,
    JSON.stringify({
      limits: {
        client_tool_calls_per_minute: 1_000_000,
        resource_update_ms: 20,
        named_stream_notify_ms: 20,
        client_unhandled_frames: 16,
      },
    }),
  );
  return file;
};

const raw_request = (method, path, headers, body = "") =>
  [
    `${method} ${path} HTTP/1.1`,
    "Host: localhost",
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${Buffer.byteLength(body)}`,
    "",
    body,
  ].join("\r\n");

const health_of = async (port) => (await http_request(port, { path: "/health" })).json;

test("a client that sent much ahead and leaves ends its call and its stream", async () => {
  await with_daemon(async (engine, port) => {
    const call = modern_request("tools/call", {
      name: "observe",
      arguments: { what: "alerts", wait_seconds: 40 },
    });
    const ahead = "x".repeat(20_000);
    const leave = async (first, is_under_way) => {
      const socket = net.connect(port, "127.0.0.1");
      socket.on("error", () => {}).resume();
      socket.write(first);
      await wait_until(is_under_way, () => "it does not begin");
      socket.write(`POST /logs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 20000\r\n\r\n${ahead}`);
      await rest(100);
      socket.destroy();
      await wait_until(
        async () => !(await is_under_way()),
        () => "it stays",
        { ms: 5_000 },
      );
    };
    const calls = async () => (await health_of(port)).clients.some((c) => c.under_way > 0);
    await leave(
      raw_request(
        "POST",
        "/mcp",
        { ...call.headers, "content-type": "application/json" },
        JSON.stringify(call.body),
      ),
      calls,
    );
    const taps = async () => (await health_of(port)).named_streams.taps > 0;
    await leave(raw_request("GET", "/streams/$alerts/events", {}), taps);
    // Who has sent much ahead and stays is served in turn.
    const socket = net.connect(port, "127.0.0.1");
    let text = "";
    socket.on("data", (chunk) => (text += chunk));
    const entry = JSON.stringify({ entries: [{ level: "info", message: "y".repeat(19_000) }] });
    const short_wait = modern_request("tools/call", {
      name: "observe",
      arguments: { what: "alerts", wait_seconds: 1 },
    });
    socket.write(
      raw_request(
        "POST",
        "/mcp",
        { ...short_wait.headers, "content-type": "application/json" },
        JSON.stringify(short_wait.body),
      ),
    );
    await rest(100);
    for (let n = 0; n < 3; n += 1)
      socket.write(raw_request("POST", "/logs", { "content-type": "application/json" }, entry));
    await wait_until(
      () => text.match(/HTTP\/1\.1 200/g)?.length === 4,
      () => text.slice(0, 900),
    );
    socket.destroy();
  });
});

test("a large response may take longer than the deadline as long as it gets on", async () => {
  const config = { limits: { http_read_timeout_ms: 700, result_bytes: 16 << 20 } };
  await with_daemon(
    async (engine, port) => {
      const pad = "x".repeat(200_000);
      await http_request(port, { method: "POST", path: "/streams", body: { name: "big" } });
      const events = Array.from({ length: 40 }, () => ({ data: pad }));
      const sent = await http_request(port, {
        method: "POST",
        path: "/streams/big/events",
        body: events,
      });
      assert.equal(sent.status, 200, sent.text);
      const session = await http_session.open(port);
      const body = JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "resources/read",
        params: { uri: "gasoline://streams/big" },
      });
      const get = raw_request(
        "POST",
        "/mcp",
        {
          ...session.headers,
          accept: "application/json, text/event-stream",
          "content-type": "application/json",
        },
        body,
      );
      const socket = net.connect({ port, host: "127.0.0.1", highWaterMark: 65_536 });
      let bytes = 0;
      let closed = false;
      socket.on("error", () => {}).on("close", () => (closed = true));
      socket.on("data", (chunk) => {
        bytes += chunk.length;
        socket.pause();
        setTimeout(() => socket.resume(), 40);
      });
      socket.write(get);
      const begun = performance.now();
      await wait_until(
        () => bytes > 8_000_000 || closed,
        () => `${bytes} bytes`,
        { ms: 60_000 },
      );
      assert.ok(!closed, `cut after ${bytes} bytes, ${performance.now() - begun} ms`);
      assert.ok(performance.now() - begun > 1_400, "not slow enough to tell");
      socket.destroy();
      // One that takes nothing is still let go.
      const stalled = net.connect(port, "127.0.0.1");
      let ended = false;
      stalled.on("error", () => {}).on("close", () => (ended = true));
      stalled.write(get);
      stalled.pause();
      await rest(3_000);
      stalled.resume();
      await wait_until(
        () => ended,
        () => "the stalled one stays",
        { ms: 10_000 },
      );
    },
    { config },
  );
});

test("a client on stdio that takes nothing is told of changes once, not of each", async () => {
  await with_engine(
    async (client) => {
      const port = await client.port();
      for (const uri of ["gasoline://alerts", "gasoline://errors", "gasoline://streams/s"]) {
        if (uri.endsWith("/s")) await client.call("stream_create", { name: "s" });
        await client.request("resources/subscribe", { uri });
      }
      for (let n = 0; n < 20; n += 1)
        await client.call("stream_subscribe", { stream_name: "s", notify: true });
      client.child.stdout.pause();
      // Fills the pipe and the engine's own buffer: the answers are not read.
      for (let id = 0; id < 400; id += 1)
        client.send({ jsonrpc: "2.0", id: `full ${id}`, method: "tools/list" });
      const before = client.memory_kb();
      const data = "x".repeat(7_000);
      for (let n = 0; n < 400; n += 1) {
        await http_request(port, {
          method: "POST",
          path: "/streams/s/events",
          body: { data },
        });
        await http_request(port, {
          method: "POST",
          path: "/logs",
          body: { entries: [{ level: "error", message: `e ${n}` }] },
        });
        await rest(5);
      }
      const grown = client.memory_kb() - before;
      assert.ok(grown < 16_000, `${grown} kB more`);
      const from = client.messages.length;
      client.child.stdout.resume();
      await client.assert_alive();
      await rest(1_500);
      const told = client.messages.slice(from).filter((m) => m?.method);
      const streams = told.filter((m) => m.params?.logger === "gasoline.streams");
      const updates = told.filter((m) => m.method === "notifications/resources/updated");
      assert.ok(streams.length >= 1 && streams.length < 20, `${streams.length} of the stream`);
      assert.ok(updates.length >= 2 && updates.length < 40, `${updates.length} updates`);
      // Nothing is forgotten: the one notification counts all that came.
      const counted = streams.reduce((sum, m) => sum + m.params.data.events, 0);
      assert.ok(counted > 400, `${counted} events counted`);
    },
    { env: {}, args: ["--config", congested_config()] },
  );
});


test("an idle session does not cost another its replay, and is told what it lost", async () => {
  const config = { limits: { mcp_event_total_bytes: 7_000, named_stream_notify_ms: 5 } };
  await with_daemon(
    async (engine, port) => {
      const publish = async (name, label) => {
        await http_request(port, {
          method: "POST",
          path: `/streams/${name}/events`,
          body: { data: `${label} ${"y".repeat(1_500)}` },
        });
        await rest(20);
      };
      // A client that is told of each event of a stream of its own.
      const follow = async (name) => {
        const session = await http_session.open(port);
        await session.call("stream_create", { name });
        await session.call("stream_subscribe", { stream_name: name, notify: true });
        return session;
      };
      const [idle, active] = [await follow("idle"), await follow("active")];
      const first = await idle.listen();
      for (const n of [1, 2, 3]) await publish("idle", `idle ${n}`);
      const kept = await first.event(({ data }) => data?.includes("idle 1"));
      await first.event(({ data }) => data?.includes("idle 3"));
      first.drop();
      const stream = await active.listen();
      const priming = await stream.event(({ id }) => id !== undefined);
      await publish("active", "one");
      await stream.event(({ data }) => data?.includes("one y"));
      stream.drop();
      const again = await active.listen({ "last-event-id": priming.id });
      assert.equal(again.status, 200);
      await again.event(({ data }) => data?.includes("one y"));
      for (const word of ["two", "three", "four"]) {
        await publish("active", word);
        await again.event(({ data }) => data?.includes(`${word} y`));
      }
      again.drop();
      const back = await idle.listen({ "last-event-id": kept.id });
      assert.equal(back.status, 200);
      const lost = await back.message((m) => m.params?.data?.missed === 2);
      assert.equal(lost.params.logger, "gasoline");
      assert.match(back.comments.map(({ text }) => text).join(), /2 messages are no longer kept/);
      back.drop();
      for (const session of [idle, active]) await session.end();
    },
    { config },
  );
});

test("answers that nobody reads are bounded in all, and who reads is told to come again", async () => {
  const limit = 20 << 20;
  const config = {
    limits: {
      http_inflight_bytes: limit,
      client_tool_calls_per_minute: 1_000_000,
      mcp_stream_after_ms: 60_000,
      result_max_bytes: 16 << 20, // more than the buffers of a socket take
    },
  };
  await with_daemon(
    async (engine, port) => {
      for (let i = 0; i < 9; ++i) {
        const entries = Array.from({ length: 100 }, (_, n) => ({
          level: "info",
          message: `${i} ${n} ` + "abc def ".repeat(1100),
        }));
        assert.equal((await engine.post("/logs", { entries })).status, 200);
      }
      const { body, headers } = modern_request("tools/call", {
        name: "observe",
        arguments: { what: "logs", limit: 900, max_bytes: 8_000_000 },
      });
      const request = raw_request(
        "POST",
        "/mcp",
        { ...headers, "content-type": "application/json" },
        JSON.stringify(body),
      );
      const whole = await http_request(port, { method: "POST", path: "/mcp", headers, body });
      assert.ok(whole.text.length > 7_000_000, `${whole.text.length}`);
      const sockets = [];
      const http = () => health_of(port).then((health) => health.http);
      try {
        await wait_until(
          async () => {
            const socket = net.connect(port, "127.0.0.1");
            socket.on("error", () => {}).pause();
            socket.write(request);
            sockets.push(socket);
            const { unsent_bytes, answers_refused } = await http();
            assert.ok(unsent_bytes <= limit, `${unsent_bytes}`);
            return answers_refused > 0;
          },
          () => `${sockets.length} clients`,
        );
        const refused = await http_request(port, { method: "POST", path: "/mcp", headers, body });
        assert.equal(refused.status, 429);
        assert.equal(refused.headers["retry-after"], "1");
        assert.equal((await engine.post("/logs", { entries: [] })).status, 200, "short ones pass");
      } finally {
        for (const socket of sockets) socket.destroy();
      }
      await wait_until(
        async () => (await http()).unsent_bytes === 0,
        () => "bytes of clients that have gone are kept",
      );
      const again = await http_request(port, { method: "POST", path: "/mcp", headers, body });
      assert.equal(again.status, 200);
    },
    { config },
  );
});
