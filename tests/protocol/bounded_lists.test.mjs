// Bodies that keep their cap of bytes and hold millions of small things: refused by their number,
// in a sentence, before they cost time and memory.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { start_daemon } from "./support/daemon.mjs";
import { bound } from "./support/deadline.mjs";
import { with_engine } from "./support/engine.mjs";
import { http_request } from "./support/http.mjs";
import { accept_both, http_session, modern_request, request_of } from "./support/mcp_http.mjs";

let engine;
let port;

before(async () => {
  engine = start_daemon();
  port = await engine.port();
});
after(() => engine.stop());

const small_things = (of = "1") => `[${Array(4_900_000).fill(of).join(",")}]`;
const ones = small_things();

// Sends a body; the engine must answer soon, and others while it does.
const assert_refused = async (path, body, headers, status, sentence) => {
  const before_it = engine.memory_kb();
  const refused = http_request(port, {
    method: "POST",
    path,
    body,
    headers: { accept: accept_both, ...headers },
  });
  const answer = await refused;
  assert.equal(answer.status, status, answer.text.slice(0, 300));
  assert.match(answer.text, sentence);
  assert.ok(answer.text.length < 600, "one sentence");
  assert.ok(answer.ms < bound(500), `${answer.ms} ms`);
  const health = await http_request(port, { path: "/health" });
  assert.ok(health.ms < bound(200), `health after ${health.ms} ms`);
  const grown = engine.memory_kb() - before_it;
  assert.ok(grown < 60_000, `${grown} kB more`);
};

test("a batch of millions: without session, in a session, by the bridge, under 2026-07-28", async () => {
  await assert_refused("/mcp", ones, {}, 400, /Mcp-Session-Id|messages/);
  const old = await http_session.open(port, { version: "2025-03-26" });
  await assert_refused("/mcp", ones, { "mcp-session-id": old.id }, 400, /at most 1000 messages/);
  const objects = small_things("{}").slice(0, 9_000_000) + "]";
  await assert_refused("/mcp", objects, { "mcp-session-id": old.id }, 400, /at most 1000 messages/);
  await assert_refused("/mcp", ones, { "x-gasoline-client": "a" }, 400, /at most 1000 messages/);
  const modern = { "mcp-protocol-version": "2026-07-28" };
  await assert_refused("/mcp", ones, modern, 400, /2025-03-26/);
  const pings = JSON.stringify(Array.from({ length: 1_000 }, (_, n) => request_of("ping", {}, n)));
  const served = await old.post(pings, { "mcp-protocol-version": "2025-03-26" });
  assert.equal(served.status, 200, served.text.slice(0, 300));
  await old.end();
});

test("lists of millions in arguments", async () => {
  const session = await http_session.open(port);
  const headers = session.headers;
  const call = (name, args) =>
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${args}}}`;
  for (const body of [
    call("configure", `{"action":"streaming","streaming_action":"enable","events":${ones}}`),
    call("stream_publish", `{"stream_name":"s","data":${ones}}`),
    call("observe", `{"what":"errors","url":${ones}}`),
    `{"jsonrpc":"2.0","id":${ones},"method":"ping"}`,
    `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${ones}}}`,
  ])
    await assert_refused("/mcp", body, headers, 400, /at most 150000 values/);
  const listen = modern_request("subscriptions/listen", {
    notifications: { resourceSubscriptions: [] },
  });
  const body = JSON.stringify(listen.body).replace(
    '"resourceSubscriptions":[]',
    `"resourceSubscriptions":${small_things('""').slice(0, 9_000_000)}]`,
  );
  await assert_refused("/mcp", body, listen.headers, 400, /at most 150000 values/);
  await session.end();
});

test("a list of millions of stream events, and an event of millions of values", async () => {
  const made = await http_request(port, {
    method: "POST",
    path: "/streams",
    body: { name: "x", stream_type: "sse" },
  });
  assert.equal(made.status, 201, made.text);
  const where = "/streams/x/events";
  await assert_refused(where, ones, {}, 413, /more than 10000 events/);
  await assert_refused(where, `{"data":${ones}}`, {}, 413, /more than 262144 values/);
  await assert_refused(where, `[{"data":${ones}}]`, {}, 413, /more than 262144 values/);
  const events = Array.from({ length: 10_000 }, (_, n) => ({ data: n }));
  const taken = await http_request(port, { method: "POST", path: where, body: events });
  assert.equal(taken.status, 200, taken.text.slice(0, 300));
  assert.equal(taken.json.count, 10_000);
});

test("stdio refuses them in one sentence, and lives on", async () => {
  for (const version of ["2025-03-26", "2025-11-25"])
    await with_engine(
      async (client) => {
        const begun = performance.now();
        const told = await client.told_about(ones);
        assert.equal(told.length, 1);
        assert.equal(told[0].error.code, -32600);
        assert.match(told[0].error.message, /at most 1000 messages|2025-03-26/);
        assert.ok(performance.now() - begun < bound(1_000));
        assert.ok(client.memory_kb() < 150_000, `${client.memory_kb()} kB`);
        await client.assert_alive();
      },
      { version },
    );
});
