// Named streams through the official SDK: the tools, reading and waiting, delivery, limits.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import {
  LoggingMessageNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";

import { start_daemon } from "./support/daemon.mjs";
import { bound, median_of, wait_until } from "./support/deadline.mjs";
import { binary, clean_environment } from "./support/engine.mjs";
import { http_request } from "./support/http.mjs";
import { ci_failure } from "./support/samples.mjs";

let engine;
let port;
const clients = [];
let serial = 0;
const fresh_name = () => `s${(serial += 1)}`;

// A client of its own at the attach socket of the engine.
const join = async () => {
  const transport = new StdioClientTransport({
    command: binary,
    args: ["mcp", "--state-dir", engine.state_dir],
    env: clean_environment(engine.state_dir),
    stderr: "ignore",
  });
  const client = new Client({ name: "streams test", version: "1.0.0" });
  const notices = [];
  const updates = [];
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) =>
    notices.push(params),
  );
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) =>
    updates.push(params.uri),
  );
  await client.connect(transport);
  clients.push(client);
  const call = async (name, args) => {
    const result = await client.callTool({ name, arguments: args });
    const text = result.content[0].text;
    return {
      ...JSON.parse(text.slice(text.lastIndexOf("\n") + 1)),
      is_error: result.isError === true,
      blocks: result.content.length,
      text,
    };
  };
  return { client, call, notices, updates };
};

const observe = (peer, subscription_id, more = {}) =>
  peer.call("observe", { what: "stream", subscription_id, ...more });
const data_of = ({ items }) => items.map(({ data }) => data);

before(async () => {
  engine = start_daemon({ config: { limits: { client_tool_calls_per_minute: 100_000 } } });
  port = await engine.port();
});
after(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await engine.stop();
});

test("the tools are listed, and the whole list stays within 12 KB", async () => {
  const { client } = await join();
  const { tools } = await client.listTools();
  const names = tools.map(({ name }) => name);
  for (const name of ["stream_create", "stream_publish", "stream_subscribe", "stream_status"])
    assert.ok(names.includes(name), names.join());
  assert.ok(JSON.stringify({ tools }).length < 12_288, `${JSON.stringify({ tools }).length} bytes`);
});

test("what one agent publishes another reads: once, in order, filtered", async () => {
  const [writer, reader] = [await join(), await join()];
  const stream_name = fresh_name();
  assert.equal((await writer.call("stream_create", { name: stream_name })).status, "created");
  const all = await reader.call("stream_subscribe", { stream_name });
  const some = await reader.call("stream_subscribe", { stream_name, topic: "orders.>" });
  for (let n = 0; n < 10; n += 1) {
    const topic = n % 2 ? "orders.created.eu" : "invoices.paid";
    const sent = await writer.call("stream_publish", { stream_name, data: { n }, topic });
    assert.match(sent.event_id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-/);
    assert.equal(sent.blocks, 1);
  }
  const first = await observe(reader, all.subscription_id, { limit: 4 });
  assert.deepEqual(data_of(first), [0, 1, 2, 3].map((n) => ({ n })));
  assert.equal(first.total, 10);
  const rest = await observe(reader, all.subscription_id);
  assert.deepEqual(data_of(rest), [4, 5, 6, 7, 8, 9].map((n) => ({ n })));
  assert.equal(rest.cursor, undefined);
  const again = await observe(reader, all.subscription_id, { cursor: first.cursor });
  assert.deepEqual(data_of(again), data_of(rest));
  const odd = await observe(reader, some.subscription_id);
  assert.deepEqual(data_of(odd), [1, 3, 5, 7, 9].map((n) => ({ n })));
  assert.equal((await observe(reader, all.subscription_id)).count, 0);
  assert.ok((await writer.client.callTool({
    name: "observe",
    arguments: { what: "stream", subscription_id: all.subscription_id },
  })).isError, "a subscription belongs to its client");
});

test("a read waits for an event and is answered at once when it comes", async () => {
  const [writer, reader] = [await join(), await join()];
  const stream_name = fresh_name();
  await writer.call("stream_create", { name: stream_name });
  const { subscription_id } = await reader.call("stream_subscribe", { stream_name });
  const waits = [];
  for (let n = 0; n < 20; n += 1) {
    const pending = observe(reader, subscription_id, { wait_seconds: 50 });
    await writer.call("stream_status", {});
    const begun = performance.now();
    await writer.call("stream_publish", { stream_name, data: n });
    assert.deepEqual(data_of(await pending), [n]);
    waits.push(performance.now() - begun);
  }
  assert.ok(median_of(waits) < bound(50), `${median_of(waits)} ms`);
  const none = await observe(reader, subscription_id, { wait_seconds: 1 });
  assert.match(none.text, /No new event/);
});

test("events of a cancelled read stay new", async () => {
  const [writer, reader] = [await join(), await join()];
  const stream_name = fresh_name();
  await writer.call("stream_create", { name: stream_name });
  const { subscription_id } = await reader.call("stream_subscribe", { stream_name });
  const cancel = new AbortController();
  const gone = reader.client.callTool(
    { name: "observe", arguments: { what: "stream", subscription_id, wait_seconds: 50 } },
    undefined,
    { signal: cancel.signal },
  );
  await reader.call("stream_status", {});
  cancel.abort();
  await assert.rejects(gone);
  await reader.call("stream_status", {});
  const next = observe(reader, subscription_id, { wait_seconds: 20 });
  await writer.call("stream_publish", { stream_name, data: "kept" });
  assert.deepEqual(data_of(await next), ["kept"]);
});

test("waiting reads end with their stream, their subscription and their client", async () => {
  const [writer, reader, leaver] = [await join(), await join(), await join()];
  const stream_name = fresh_name();
  await writer.call("stream_create", { name: stream_name });
  const subscribe = async (peer) =>
    (await peer.call("stream_subscribe", { stream_name })).subscription_id;
  const refused = async (subscription_id) => {
    const result = await reader.client.callTool({
      name: "observe",
      arguments: { what: "stream", subscription_id, wait_seconds: 50 },
    });
    return result.isError && result.content[0].text;
  };
  const first = await subscribe(reader);
  const ended = refused(first);
  await reader.call("configure", {
    action: "stream",
    stream_action: "unsubscribe",
    subscription_id: first,
  });
  assert.match(await ended, /ended/);
  await subscribe(leaver);
  const count = async () =>
    (await writer.call("stream_status", { stream_name })).streams[0].subscriber_count;
  assert.equal(await count(), 1);
  await leaver.client.close();
  await wait_until(
    async () => (await count()) === 0,
    () => "the subscription outlives its client",
  );
  const deleted = refused(await subscribe(reader));
  await reader.call("stream_status", {});
  await writer.call("configure", { action: "stream", stream_action: "delete", stream_name });
  assert.match(await deleted, /deleted/);
});

test("a resource follows a stream, and notify pushes its events", async () => {
  const [writer, reader] = [await join(), await join()];
  const stream_name = fresh_name();
  const uri = `gasoline://streams/${stream_name}`;
  await writer.call("stream_create", { name: stream_name });
  await reader.client.subscribeResource({ uri });
  await reader.call("stream_subscribe", { stream_name, notify: true });
  for (let n = 0; n < 50; n += 1) await writer.call("stream_publish", { stream_name, data: { n } });
  await wait_until(
    () => reader.updates.includes(uri) && reader.notices.length > 0,
    () => "nothing was told",
  );
  assert.equal(reader.notices[0].logger, "gasoline.streams");
  assert.ok(reader.updates.length <= 3, `${reader.updates.length} updates are not coalesced`);
  const { contents } = await reader.client.readResource({ uri });
  const shown = JSON.parse(contents[0].text);
  assert.equal(shown.buffered_events, 50);
  assert.deepEqual(shown.events[0].data, { n: 49 });
  const completion = await reader.client.complete({
    ref: { type: "ref/resource", uri: "gasoline://streams/{name}" },
    argument: { name: "name", value: stream_name },
  });
  assert.ok(completion.completion.values.includes(stream_name));
  await assert.rejects(reader.client.readResource({ uri: "gasoline://streams/none" }));
});

test("alerts are on $alerts, and secrets are in no stream", async () => {
  const reader = await join();
  const { subscription_id } = await reader.call("stream_subscribe", {
    stream_name: "$alerts",
    topic: "ci.*",
  });
  const answer = await http_request(port, {
    method: "POST",
    path: "/ci-result",
    body: ci_failure({ source: "streams-test" }),
  });
  assert.equal(answer.status, 200);
  const seen = await observe(reader, subscription_id, { wait_seconds: 10 });
  assert.match(JSON.stringify(seen.items[0].data), /streams-test/);
  assert.match(seen.items[0].topic, /^ci\.(error|warning|info)$/);
  const stream_name = fresh_name();
  await reader.call("stream_create", { name: stream_name });
  const own = await reader.call("stream_subscribe", { stream_name });
  const secret = "sk-ant-api03-" + "a1B2c3D4".repeat(10);
  await reader.call("stream_publish", {
    stream_name,
    data: { api_key: secret, text: `key ${secret}`, deep: [{ password: "hunter2hunter2" }] },
    metadata: { authorization: `Bearer ${secret}` },
    event_type: "order",
  });
  const page = await observe(reader, own.subscription_id);
  assert.ok(!page.text.includes(secret) && !page.text.includes("hunter2"), page.text);
});

test("hostile names, topics, types and data are refused in a sentence or kept as data", async () => {
  const peer = await join();
  const names = ["", " ", "a b", "../etc", "$x", "a\u0000b", "ä", "x".repeat(65), "a\nb", "*", 7, null];
  for (const name of names) {
    const answer = await peer.call("stream_create", { name });
    assert.ok(answer.is_error && answer.status === "error" && answer.message.endsWith("."), `${name}`);
  }
  const stream_name = fresh_name();
  await peer.call("stream_create", { name: stream_name });
  for (const topic of ["a b", "a..b", ".a", "a.", "*", "a.>", "a\r\nb", "x".repeat(300), 5])
    assert.ok((await peer.call("stream_publish", { stream_name, data: 1, topic })).is_error, `${topic}`);
  for (const event_type of ["a\nb", "\r", "x".repeat(200), {}])
    assert.ok((await peer.call("stream_publish", { stream_name, data: 1, event_type })).is_error);
  const { subscription_id } = await peer.call("stream_subscribe", { stream_name });
  const odd = ["\r\n\r\ndata: forged", { "\u2028": "\u0000" }, [], 1e300, -0.5, true, ""];
  for (const data of odd) {
    const answer = await peer.call("stream_publish", { stream_name, data });
    assert.equal(answer.status, "published", answer.text);
  }
  assert.equal((await observe(peer, subscription_id)).count, odd.length);
  const large = await peer.call("stream_publish", { stream_name, data: "x".repeat(300_000) });
  assert.match(large.message, /at most 262144/);
});
