// What clients write as arguments, and what strict ones accept as schemas.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";

import { many_calls } from "./support/daemon.mjs";
import { start_engine, temporary_directory } from "./support/engine.mjs";

let engine;
before(async () => {
  const file = path.join(temporary_directory(), "config.json");
  writeFileSync(file, JSON.stringify(many_calls));
  engine = start_engine({ args: ["--toolsets", "core,streams,compat", "--config", file] });
  await engine.initialize();
  await engine.call("stream_create", { name: "orders", stream_type: "sse" });
});
after(() => engine.stop());

const tools = async () => (await engine.request("tools/list")).result.tools;

// Publishes and reads back what a subscriber sees.
const published = async (args) => {
  const { subscription_id } = JSON.parse(
    (await engine.call("stream_subscribe", { stream_name: "orders" })).content[0].text,
  );
  const answer = await engine.call("stream_publish", { stream_name: "orders", ...args });
  assert.ok(!answer.isError, answer.content[0].text);
  const { items } = await engine.observe({ what: "stream", subscription_id });
  await engine.configure({ action: "stream", stream_action: "unsubscribe", subscription_id });
  return items.at(-1);
};

const raw_publish = async (id, data_text) => {
  const from = engine.messages.length;
  engine.send_raw(
    `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":"tools/call","params":{"name":"stream_publish",` +
      `"arguments":{"stream_name":"orders","data":${data_text},"metadata":{"m":${data_text}}}}}\n`,
  );
  return engine.answer(id, { from });
};

const plain_types = ["string", "integer", "number", "boolean", "array", "object"];
const known_words = new Set(
  "type description enum items properties required default minimum maximum".split(" "),
);

const check_schema = (schema, where) => {
  assert.ok(plain_types.includes(schema.type), `${where} has the type ${JSON.stringify(schema.type)}`);
  for (const word of Object.keys(schema))
    assert.ok(known_words.has(word), `${where} uses ${word}, which not every provider takes`);
  if (schema.type === "array") check_schema(schema.items, `${where}[]`);
  if (schema.enum) assert.ok(schema.enum.every((value) => typeof value === "string" && value));
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    assert.match(name, /^[a-z_]{1,64}$/);
    check_schema(property, `${where}.${name}`);
  }
  for (const name of schema.required ?? []) assert.ok(schema.properties[name], `${where}.${name}`);
};

test("every property of every input schema says its one type", async () => {
  const all = await tools();
  assert.equal(all.length, 10);
  for (const { name, inputSchema } of all) {
    assert.equal(inputSchema.type, "object");
    check_schema(inputSchema, name);
  }
  assert.ok(JSON.stringify({ tools: all }).length <= 12_288);
});

test("an object that comes as its JSON text is an object when it is read", async () => {
  assert.deepEqual((await published({ data: '{"order":7}' })).data, { order: 7 });
  assert.deepEqual((await published({ data: { order: 7 } })).data, { order: 7 });
  const { metadata } = await published({ data: {}, metadata: '{"a":1}' });
  assert.deepEqual(metadata, { a: 1 });
});

test("a text that is meant as one stays a text", async () => {
  for (const text of ["hello", '{"order":7', "007", "true", '"quoted"', "[1]", " {}", ""])
    assert.equal((await published({ data: text })).data, text);
  assert.equal((await published({ text: '{"order":7}' })).data, '{"order":7}');
  for (const data of [[1, 2], 7, true, null]) assert.deepEqual((await published({ data })).data, data);
});

test("data and text are one or the other", async () => {
  const publish = (args) => engine.call("stream_publish", { stream_name: "orders", ...args });
  assert.match((await publish({ data: {}, text: "a" })).content[0].text, /send one of them/);
  assert.match((await publish({})).content[0].text, /data is missing/);
  assert.ok((await publish({ text: 7 })).isError);
});

test("lists, numbers and booleans that come as their JSON text are taken", async () => {
  const { config } = await engine.stream({
    streaming_action: "enable",
    events: '["errors","ci"]',
    throttle_seconds: "5",
  });
  assert.deepEqual(config.events, ["errors", "ci"]);
  assert.equal(config.throttle_seconds, 5);
  await engine.stream({ streaming_action: "disable" });
  for (const more of [{ limit: "20" }, { include_noise: "true" }, { include_noise: "false" }])
    await engine.observe({ what: "errors", ...more });
  await engine.observe({ what: "alerts", wait_seconds: "0" });
  const create = (buffer_size) => engine.call("stream_create", { name: "small", buffer_size });
  assert.ok((await create("0")).isError);
  assert.ok(!(await create("3")).isError);
  const notified = await engine.call("stream_subscribe", { stream_name: "small", notify: "true" });
  assert.ok(!notified.isError);
  const whole = await engine.request("tools/call", {
    name: "observe",
    arguments: '{"what":"errors","limit":"5"}',
  });
  assert.ok(!whole.result.isError);
});

for (const [tool, args, sentence] of [
  ["observe", { what: "errors", limit: "twenty" }, /limit must be a whole number from 1/],
  ["observe", { what: "errors", limit: "20abc" }, /limit must be/],
  ["observe", { what: "errors", limit: "2e9" }, /limit must be/],
  ["observe", { what: "errors", limit: " 20" }, /limit must be/],
  ["observe", { what: "errors", limit: "" }, /limit must be/],
  ["observe", { what: "errors", limit: "[20]" }, /limit must be/],
  ["observe", { what: "errors", limit: "1e400" }, /limit must be/],
  ["observe", { what: "errors", include_noise: "yes" }, /include_noise must be true or false/],
  ["observe", { what: "errors", include_noise: "1" }, /include_noise must be/],
  ["observe", { what: '"errors"' }, /what .* is not valid/],
  [
    "configure",
    { action: "streaming", streaming_action: "enable", events: '["eror"]' },
    /events 'eror' is not valid; use one of: /,
  ],
  [
    "configure",
    { action: "streaming", streaming_action: "enable", events: '["errors"' },
    /events .* is not valid/,
  ],
  ["stream_publish", { stream_name: "orders", data: 1, metadata: "[1]" }, /metadata must be an object/],
  [
    "stream_publish",
    { stream_name: "orders", data: 1, metadata: '{"a":'.repeat(5000) + "1" + "}".repeat(5000) },
    /metadata must be an object/,
  ],
])
  test(`what is no value of its type is refused as clearly: ${JSON.stringify(args).slice(0, 70)}`, async () => {
    const { isError, content } = await engine.call(tool, args);
    assert.equal(isError, true);
    assert.match(content[0].text, sentence);
  });

test("null for an optional parameter is its absence", async () => {
  for (const method of [
    "tools/list",
    "resources/list",
    "resources/templates/list",
    "prompts/list",
  ]) {
    const plain = (await engine.request(method)).result;
    const written = (await engine.request(method, { cursor: null, _meta: null })).result;
    assert.deepEqual(Object.keys(written), Object.keys(plain));
    assert.ok((await engine.request(method, { cursor: "x" })).error, "others are refused");
  }
  const nothing = { url: null, min_level: null, limit: null, cursor: null, include_noise: null };
  await engine.observe({ what: "errors", ...nothing });
  const status = await engine.configure({
    action: null,
    what: "streaming",
    streaming_action: "status",
    events: null,
  });
  assert.equal(status.config.enabled, false);
  const created = await engine.call("stream_create", {
    name: "nulls",
    stream_type: null,
    buffer_size: null,
  });
  assert.ok(!created.isError, created.content[0].text);
  assert.ok(!(await engine.call("stream_publish", { stream_name: "nulls", data: 1, topic: null, metadata: null, text: null })).isError);
  assert.ok((await engine.request("prompts/get", { name: "triage", arguments: { id: null } })).result);
  const completed = await engine.request("completion/complete", {
    ref: { type: "ref/prompt", name: "explain_alert" },
    argument: { name: "id", value: "" },
    context: null,
  });
  assert.ok(completed.result);
});

test("null is absence in requests of 2026-07-28, too", async () => {
  const modern = start_engine();
  try {
    const claims = (more) => ({
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": {},
      ...more,
    });
    const list = await modern.request("tools/list", {
      cursor: null,
      _meta: claims({
        "io.modelcontextprotocol/clientInfo": null,
        "io.modelcontextprotocol/logLevel": null,
        progressToken: null,
      }),
    });
    assert.ok(list.result, JSON.stringify(list));
    const call = await modern.request("tools/call", {
      name: "observe",
      arguments: { what: "errors" },
      inputResponses: null,
      requestState: null,
      _meta: claims({}),
    });
    assert.ok(call.result, JSON.stringify(call));
    modern.send({
      jsonrpc: "2.0",
      id: "listen",
      method: "subscriptions/listen",
      params: {
        notifications: { toolsListChanged: null, resourceSubscriptions: null },
        _meta: claims({}),
      },
    });
    await modern.message((m) => m.method === "notifications/subscriptions/acknowledged");
  } finally {
    await modern.stop();
  }
});

for (const [number, kept] of [
  ["123456789012345678901", "123456789012345678901"],
  ["-9223372036854775809", "-9223372036854775809"],
  ["1e400", "1e400"],
  ["-1E+999", "-1E+999"],
  ["18446744073709551616", "18446744073709551616"],
  ["18446744073709551615", 18446744073709551615n],
  ["-9223372036854775808", -9223372036854775808n],
  ["-0", -0],
  ["0.1", 0.1],
  ["1e20", 1e20],
  ["1e5", 1e5],
  ["-2.50E-7", -2.5e-7],
])
  test(`the number ${number} in data and metadata is the same by tool and by HTTP`, async () => {
    const { subscription_id } = JSON.parse(
      (await engine.call("stream_subscribe", { stream_name: "orders" })).content[0].text,
    );
    const answer = await raw_publish(`big ${number}`, `{"id":[${number}],"text":"${number}"}`);
    assert.ok(!answer.result?.isError, JSON.stringify(answer));
    const { status } = await engine.http({
      method: "POST",
      path: "/streams/orders/events",
      headers: { "Content-Type": "application/json" },
      body: Buffer.from(
        `{"data":{"id":[${number}],"text":"${number}"},"metadata":{"m":{"id":[${number}],"text":"${number}"}}}`,
      ),
    });
    assert.equal(status, 200);
    const { text } = await engine.observe({ what: "stream", subscription_id });
    await engine.configure({ action: "stream", stream_action: "unsubscribe", subscription_id });
    const seen = [...text.matchAll(/"id":\[([^\]]*)\]/g)].map(([, value]) => value);
    assert.equal(seen.length, 4, text);
    assert.equal(new Set(seen).size, 1, text);
    for (const value of seen)
      if (typeof kept === "bigint") assert.equal(value, String(kept));
      else assert.ok(Object.is(JSON.parse(value), kept), `${value} for ${number}`);
  });

test("an id of a message beyond 64 bits is refused as before", async () => {
  const [answer] = await engine.told_about('{"jsonrpc":"2.0","id":123456789012345678901,"method":"ping"}');
  assert.equal(answer.error.code, -32600);
  assert.equal(answer.id, null);
  const [overflow] = await engine.told_about('{"jsonrpc":"2.0","id":1e400,"method":"ping"}');
  assert.equal(overflow.error.code, -32700);
});
