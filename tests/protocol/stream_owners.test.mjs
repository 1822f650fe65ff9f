// Whose named streams are: a page of a trusted origin uses those that pages of its origin have made,
// and others by their key; programs and agents of the user share all.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { with_daemon } from "./support/daemon.mjs";

const dash = { origin: "http://dash.test" };
const other = { origin: "http://other.test" };
const trusted = { args: ["--trusted-origin", dash.origin, "--trusted-origin", other.origin] };

const ask = async (engine, method, path, headers, body) => {
  const more = body ? { "content-type": "application/json" } : {};
  const { status, text } = await engine.http({
    method,
    path,
    headers: { ...more, ...headers },
    body: body && JSON.stringify(body),
  });
  return { status, json: JSON.parse(text) };
};

// What can be done to a stream; the last one ends it.
const deeds = [
  ["POST", "/events", { data: 1 }],
  ["GET", ""],
  ["DELETE", ""],
];

test("a stream is used by pages of its maker's origin, by who has its key, with the token, and by programs", async () => {
  await with_daemon(async (engine) => {
    const make = async (name, headers) => {
      const made = await ask(engine, "POST", "/streams", headers, { name, stream_type: "sse" });
      assert.equal(made.status, 201);
      assert.match(made.json.stream_key, /^[0-9a-f]{64}$/);
      return made.json.stream_key;
    };
    const token = readFileSync(join(engine.state_dir, "token"), "utf8").trim();
    const key = await make("made_by_dash", dash);
    await make("made_by_program", {});
    const statuses = async (name, headers) => {
      const out = [];
      for (const [method, below, body] of deeds.slice(0, -1))
        out.push((await ask(engine, method, `/streams/${name}${below}`, headers, body)).status);
      return out;
    };
    const may = [200, 200];
    const may_not = [403, 403];
    assert.deepEqual(await statuses("made_by_dash", dash), may);
    assert.deepEqual(await statuses("made_by_dash", {}), may, "programs share all");
    assert.deepEqual(await statuses("made_by_dash", other), may_not);
    assert.deepEqual(await statuses("made_by_program", dash), may_not);
    for (const shown of [
      { "x-gasoline-stream-key": key },
      { authorization: `Bearer ${key}` },
      { authorization: `Bearer ${token}` },
    ])
      assert.deepEqual(await statuses("made_by_dash", { ...other, ...shown }), may);
    const wrong = { ...other, "x-gasoline-stream-key": `${key.slice(1)}g` };
    assert.deepEqual(await statuses("made_by_dash", wrong), may_not);

    const listed = async (headers) => (await ask(engine, "GET", "/streams", headers)).json;
    assert.deepEqual((await listed(dash)).streams.map(({ name }) => name), ["made_by_dash"]);
    assert.equal((await listed(other)).total_streams, 0);
    assert.equal((await listed({})).total_streams, 2);
    assert.ok(!JSON.stringify(await listed(dash)).includes(key), "the key is told once");

    const follow = async (headers, query = "") =>
      (await engine.http({ path: `/streams/made_by_dash/events${query}`, headers })).status;
    assert.equal(await follow(other), 403);
    assert.equal(await follow(other, "?key=nonsense"), 403);

    const [method, below] = deeds.at(-1);
    assert.equal((await ask(engine, method, `/streams/made_by_dash${below}`, other)).status, 403);
    assert.equal((await ask(engine, method, `/streams/made_by_dash${below}`, dash)).status, 200);
    const health = (await ask(engine, "GET", "/health", {})).json;
    assert.equal(health.named_streams.turned_away, 9);
  }, trusted);
});

test("a page that is an MCP client is bound by the same", async () => {
  await with_daemon(async (engine) => {
    const call = async (name, args, headers) => {
      const request = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } };
      const head = { "x-gasoline-client": "board", accept: "application/json, text/event-stream" };
      const { json } = await ask(engine, "POST", "/mcp", { ...head, ...headers }, request);
      return json.result;
    };
    assert.ok(!(await call("stream_create", { name: "agents" }, {})).isError);
    assert.ok(!(await call("stream_publish", { stream_name: "agents", data: 1 }, {})).isError);
    for (const [name, args] of [
      ["stream_publish", { stream_name: "agents", data: 2 }],
      ["stream_subscribe", { stream_name: "agents" }],
      ["configure", { action: "stream", stream_action: "purge", stream_name: "agents" }],
    ]) {
      const refused = await call(name, args, dash);
      assert.ok(refused.isError, name);
      assert.match(refused.content[0].text, /not made by this page's origin/);
    }
    assert.ok(!(await call("stream_create", { name: "boards" }, dash)).isError);
    assert.ok(!(await call("stream_subscribe", { stream_name: "boards" }, {})).isError);
  }, trusted);
});
