// Clients side by side on one engine: what one does is not what another sees. And what is left of
// ten thousand of them: nothing.
import assert from "node:assert/strict";
import net from "node:net";
import { test } from "node:test";

import { wait_until } from "./support/deadline.mjs";
import { many_calls, with_daemon } from "./support/daemon.mjs";
import { open_stream } from "./support/event_stream.mjs";
import {
  http_session,
  initialize_of,
  latest,
  post_mcp,
  post_modern,
  request_of,
} from "./support/mcp_http.mjs";
import { ci_failure, word } from "./support/samples.mjs";

const alerts = { what: "alerts" };
const streaming = (session, more) =>
  session.configure({ action: "streaming", throttle_seconds: 1, ...more });
const is_notice = (m) => m.method === "notifications/message";
const notices_of = (stream) => stream.messages.filter(is_notice);

const raise = async (engine, source) => {
  assert.equal((await engine.post("/ci-result", ci_failure({ source }))).status, 200);
};

test("streaming belongs to one client", async () => {
  await with_daemon(async (engine, port) => {
    const sessions = await Promise.all([1, 2, 3].map(() => http_session.open(port)));
    const streams = await Promise.all(sessions.map((session) => session.listen()));
    await streaming(sessions[0], { streaming_action: "enable", events: ["all"] });
    await streaming(sessions[1], { streaming_action: "enable", events: ["network_errors"] });
    await raise(engine, "only-one");
    await streams[0].message(is_notice);
    for (const session of sessions) await session.request("ping");
    assert.deepEqual(
      streams.map(notices_of).map(({ length }) => length),
      [1, 0, 0],
    );
    const [first, second, third] = await Promise.all(
      sessions.map((session) => streaming(session, { streaming_action: "status" })),
    );
    assert.equal(first.notify_count, 1);
    assert.equal(second.notify_count, 0);
    assert.equal(second.config?.enabled ?? second.enabled ?? true, true);
    assert.notDeepEqual(third, second);
    streams.forEach((stream) => stream.drop());
  });
});

test("what one client has read, another still sees", async () => {
  await with_daemon(async (engine, port) => {
    const sessions = await Promise.all([1, 2].map(() => http_session.open(port)));
    await raise(engine, "for-both");
    const modern = () =>
      post_modern(port, "tools/call", { name: "observe", arguments: { what: "errors" } });
    for (let round = 0; round < 2; ++round) {
      const blocks = [
        ...(await Promise.all(sessions.map((s) => s.call("observe", { what: "errors" })))),
        (await modern()).response.result,
      ].map(({ content }) => /for-both/.test(content[1]?.text ?? ""));
      assert.deepEqual(blocks, Array(3).fill(round === 0), `round ${round}`);
    }
    await sessions[0].configure({ action: "clear" });
    const late = await http_session.open(port);
    const { content } = await late.call("observe", alerts);
    assert.match(content[0].text, /for-both/, "clear deletes nothing for others");
  });
});

test("the log level belongs to one client", async () => {
  await with_daemon(async (engine, port) => {
    const [quiet, loud] = await Promise.all([1, 2].map(() => http_session.open(port)));
    const streams = [await quiet.listen(), await loud.listen()];
    for (const session of [quiet, loud])
      await streaming(session, { streaming_action: "enable", events: ["all"] });
    await quiet.request("logging/setLevel", { level: "emergency" });
    await raise(engine, "not-for-the-quiet");
    await streams[1].message(is_notice);
    const status = await streaming(quiet, { streaming_action: "status" });
    assert.equal(status.suppressed_by.level, 1);
    assert.deepEqual(notices_of(streams[0]), []);
    streams.forEach((stream) => stream.drop());
  });
});

test("the rate limit belongs to one client, in every kind of session", async () => {
  await with_daemon(async (engine, port) => {
    const observe = { name: "observe", arguments: alerts };
    const session = await http_session.open(port);
    const callers = {
      session: () => session.call("observe", alerts),
      "modern one": async () =>
        (await post_modern(port, "tools/call", observe, { name: "one" })).response.result,
      "bridge one": async () =>
        (
          await post_mcp(port, request_of("tools/call", observe), {
            "x-gasoline-client": "one",
          })
        ).response.result,
    };
    for (const [name, call] of Object.entries(callers)) {
      for (let i = 0; i < 100; ++i) assert.ok(!(await call()).isError, `${name}, call ${i}`);
      const refused = await call();
      assert.equal(refused.isError, true, name);
      assert.match(refused.content[0].text, /in \d+ s/);
    }
    const fresh = await http_session.open(port);
    assert.ok(!(await fresh.call("observe", alerts)).isError);
    const other = await post_modern(port, "tools/call", observe, { name: "another" });
    assert.ok(!other.response.result.isError);
  });
});

test("subscriptions belong to one client", async () => {
  await with_daemon(async (engine, port) => {
    const [watching, other] = await Promise.all([1, 2].map(() => http_session.open(port)));
    const streams = [await watching.listen(), await other.listen()];
    const uri = "gasoline://ci";
    assert.deepEqual((await watching.request("resources/subscribe", { uri })).response.result, {});
    await raise(engine, "watched");
    const updated = (m) => m.method === "notifications/resources/updated";
    assert.equal((await streams[0].message(updated)).params.uri, uri);
    await other.request("ping");
    assert.ok(!streams[1].messages.some(updated));
    assert.deepEqual(
      (await watching.request("resources/unsubscribe", { uri })).response.result,
      {},
    );
    streams.forEach((stream) => stream.drop());
  });
});

test("health names the clients, X-Gasoline-Client first", async () => {
  await with_daemon(async (engine, port) => {
    await http_session.open(port, { name: "by info" });
    await http_session.open(port, {
      name: "hidden",
      // An initialize that takes event streams asks for a session, with the bridge's header too.
      headers: { "x-gasoline-client": "by header" },
    });
    const { clients } = (await engine.http({ path: "/health" })).json;
    assert.deepEqual(clients.map(({ name }) => name).toSorted(), ["by header", "by info"]);
  });
});

test("one client of fifty that reads nothing does not hold up the others", async () => {
  await with_daemon(
    async (engine, port) => {
      const sessions = await Promise.all(Array.from({ length: 50 }, () => http_session.open(port)));
      const streams = await Promise.all(sessions.map((session) => session.listen()));
      for (const session of sessions)
        await streaming(session, { streaming_action: "enable", events: ["all"] });
      streams[0].response.pause();
      for (let i = 0; i < 200; ++i) await raise(engine, `burst-${word(i)}`);
      await Promise.all(streams.slice(1).map((stream) => stream.message(is_notice)));
      assert.deepEqual((await sessions[0].request("ping")).response.result, {});
      streams.forEach((stream) => stream.drop());
    },
    { config: many_calls },
  );
});

// Connects and leaves in one of many ways.
const visits = [
  async (port) => {
    const session = await http_session.open(port);
    await session.end();
  },
  async (port) => {
    const session = await http_session.open(port);
    const stream = await session.listen();
    stream.drop();
    await session.end();
  },
  async (port) => {
    const stream = await open_stream(port, { path: "/mcp/sse" });
    await stream.event(() => true);
    stream.drop();
  },
  (port) => post_mcp(port, request_of("ping"), { "mcp-session-id": "nope" }),
  (port) => post_mcp(port, "{broken"),
  async (port) => {
    const socket = net.connect(port, "127.0.0.1");
    await new Promise((resolve) => socket.once("connect", resolve));
    socket.write("POST /mcp HTTP/1.1\r\nHost: localhost\r\n");
    socket.resetAndDestroy();
  },
  async (port) => {
    const { headers } = await post_mcp(port, initialize_of());
    const session = new http_session(port, latest, headers["mcp-session-id"]);
    await session.end();
  },
];

// Visits, a few at a time.
const visit = async (port, count) => {
  let next = 0;
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      while (next < count) await visits[next++ % visits.length](port);
    }),
  );
};

test("memory, descriptors and sessions return to start after 10,000 visits", async () => {
  await with_daemon(async (engine, port) => {
    const clients = async () => (await engine.http({ path: "/health" })).json.clients.length;
    const settled = (descriptors) =>
      wait_until(
        async () => engine.descriptors() <= descriptors && (await clients()) === 0,
        async () => `${engine.descriptors()} descriptors, of them at start ${descriptors}`,
        { every: 100 },
      );
    const at_start = engine.descriptors();
    await visit(port, 1000);
    await settled(at_start + 2);
    const memory = engine.memory_kb();
    await visit(port, 10_000);
    await settled(at_start + 2);
    const grown = engine.memory_kb() - memory;
    assert.ok(grown < 20_000, `grew by ${grown} kB`);
  });
});
