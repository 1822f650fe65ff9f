// Model servers that speak OpenAI's stream in their own way: what they mean comes out, however the
// bytes are cut.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";

import { start_daemon } from "./support/daemon.mjs";
import { habits } from "./support/gateway_habits.mjs";
import { cut_at, each_byte, provider_server, refused, streamed } from "./support/provider_server.mjs";
import { assert_rising, create_session, submit } from "./support/session_client.mjs";
import { follow } from "./support/watching_client.mjs";

let server;
let engine;
let port;
let bearer;

before(async () => {
  server = await new provider_server().listen();
  engine = start_daemon({
    config: {
      sessions: {
        providers: { openai: { base_url: `${server.origin}/v1` } },
        prices: { "openai:fake": { input: 1, output: 10 } },
      },
      limits: { session_call_retries: 0 },
    },
  });
  port = await engine.port();
  const token = readFileSync(path.join(engine.state_dir, "token"), "utf8").trim();
  bearer = { authorization: `Bearer ${token}` };
});
after(async () => {
  await engine.stop();
  await server.close();
});

const spoken = (blocks, type) =>
  blocks
    .filter((block) => block.type === type)
    .map(({ text }) => text)
    .join("");

const last_answer = streamed([
  'data: {"choices":[{"index":0,"delta":{"content":"Seen."},"finish_reason":"stop"}]}\n\n',
  "data: [DONE]\n\n",
]);

// A turn whose first answer has that habit.
const turn = (parts, cut) => turn_of(streamed(parts), cut);

const turn_of = async (bytes, cut) => {
  server.requests = [];
  server.answer = (request, nth) => (nth === 0 ? { bytes, cut } : { bytes: last_answer });
  const id = await create_session(
    port,
    { provider: "openai", model: "fake", tools: ["list_files", "read_file"] },
    bearer,
  );
  const client = await follow(port, id, { headers: bearer });
  await client.turn_ended(await submit(port, id, "Go.", bearer));
  client.stop();
  assert_rising(client.events);
  return client;
};

const payloads = (client, type) =>
  client.events.filter((event) => event.type === type).map(({ payload }) => payload);

const check = (habit, client) => {
  const [{ final_content }] = payloads(client, "message.complete");
  assert.equal(spoken(final_content, "text"), habit.text ?? "");
  assert.equal(spoken(final_content, "thinking"), habit.thinking ?? "");
  const called = payloads(client, "tool.called");
  assert.deepEqual(
    called.map(({ tool_name, input }) => [tool_name, input]),
    habit.tools ?? [],
  );
  assert.equal(new Set(called.map(({ tool_use_id }) => tool_use_id)).size, called.length);
  if (habit.usage) {
    const [{ usage, cost_usd }] = payloads(client, "llm.call_completed");
    const [input, output] = habit.usage;
    assert.deepEqual([usage.input_tokens, usage.output_tokens], habit.usage);
    assert.ok(Math.abs(cost_usd - (input + 10 * output) / 1e6) < 1e-12, cost_usd);
  }
  const failures = payloads(client, "llm.call_failed");
  assert.equal(failures[0]?.error_class, habit.failed);
  if (habit.failed) {
    assert.match(failures[0].message, habit.message);
    assert.equal(client.view.turn.status, "failed");
    return;
  }
  assert.equal(client.view.turn.status, "completed");
  assert.ok(payloads(client, "tool.failed").every(({ error_class }) => error_class !== "invalid_input"));
};

for (const habit of habits)
  test(habit.name, async () => {
    const whole = streamed(habit.events).length;
    for (const cut of [undefined, each_byte, cut_at(whole >> 1)])
      check(habit, await turn(habit.events, cut));
  });

// Whole streams, as those servers send them (tests/gateway_streams; the unit test cuts them
// everywhere).
const streams = new URL("../gateway_streams/", import.meta.url);
const expected = JSON.parse(readFileSync(new URL("expected.json", streams)));
for (const [name, meant] of Object.entries(expected))
  test(`a stream of ${name}`, async () => {
    const stream = readFileSync(new URL(`${name}.sse`, streams));
    const said = meant.message === undefined ? meant : { ...meant, message: new RegExp(meant.message) };
    for (const cut of [undefined, each_byte, cut_at(stream.length >> 1)]) {
      const client = await turn_of(streamed([stream]), cut);
      check({ ...said, usage: meant.cost || meant.cached ? undefined : meant.usage }, client);
      const [completed] = payloads(client, "llm.call_completed");
      if (meant.usage) assert.equal(completed.usage.input_tokens, meant.usage[0]);
      if (meant.cached) assert.equal(completed.usage.cache_read_input_tokens, meant.cached);
      if (meant.cost) assert.equal(completed.cost_usd, meant.cost);
    }
  });

test("an event stream under another type, or none", async () => {
  const stream = readFileSync(new URL("openai.sse", streams));
  const types = ["Text/Event-Stream;charset=UTF-8", "text/plain", "application/json", ""];
  for (const type of types)
    for (const cut of [undefined, each_byte]) {
      const client = await turn_of(streamed([stream], { headers: { "content-type": type } }), cut);
      check({ ...expected.openai, usage: undefined }, client);
    }
});

test("what servers say of a refusal: FastAPI's details, Google's list", async () => {
  for (const [body, message] of [
    [{ detail: "Model is loading" }, /Model is loading/],
    [{ detail: [{ loc: ["body", "tools"], msg: "field required", type: "missing" }] }, /field required/],
    [[{ error: { code: 400, message: "API key not valid.", status: "INVALID_ARGUMENT" } }], /API key not valid/],
  ]) {
    const [failure] = payloads(await turn_of(refused(400, body)), "llm.call_failed");
    assert.equal(failure.error_class, "invalid_request");
    assert.match(failure.message, message);
  }
});

// A server that does not stream, though it was asked to.
test("an answer that comes whole, as JSON, in pieces or not; an error in its place", async () => {
  const whole = (document) => refused(200, document);
  const message = (fields, finish_reason) => ({
    choices: [{ index: 0, message: { role: "assistant", ...fields }, finish_reason }],
    usage: { prompt_tokens: 9, completion_tokens: 2 },
  });
  const look = { id: "a", type: "function", function: { name: "list_files", arguments: '{"path":"a"}' } };
  for (const cut of [undefined, each_byte]) {
    const said = await turn_of(whole(message({ content: "Hello there" }, "stop")), cut);
    check({ text: "Hello there", usage: [9, 2] }, said);
    const called = await turn_of(
      whole(message({ content: null, tool_calls: [look] }, "tool_calls")),
      cut,
    );
    check({ tools: [["list_files", { path: "a" }]] }, called);
    const [failure] = payloads(
      await turn_of(whole({ error: { message: "No slot.", code: 503 } }), cut),
      "llm.call_failed",
    );
    assert.equal(failure.error_class, "overloaded");
    assert.match(failure.message, /No slot/);
    const [other] = payloads(await turn_of(whole({ hello: "world" }), cut), "llm.call_failed");
    assert.equal(other.error_class, "malformed_stream");
    assert.match(other.message, /base_url/);
  }
});

// The ids of a server that begins anew with each call differ within the turn, and each result goes
// back under its own.
test("the same id at each model call of a turn", async () => {
  const ask = (file) =>
    streamed([
      `data: ${JSON.stringify({
        choices: [
          {
            index: 0,
            delta: {
              tool_calls: [
                {
                  index: 0,
                  id: "call_0",
                  function: { name: "list_files", arguments: JSON.stringify({ path: file }) },
                },
              ],
            },
            finish_reason: "tool_calls",
          },
        ],
      })}\n\n`,
      "data: [DONE]\n\n",
    ]);
  server.requests = [];
  server.answer = (request, nth) => ({ bytes: nth < 3 ? ask(`missing-${nth}`) : last_answer });
  const id = await create_session(
    port,
    { provider: "openai", model: "fake", tools: ["list_files"] },
    bearer,
  );
  const client = await follow(port, id, { headers: bearer });
  await client.turn_ended(await submit(port, id, "Go.", bearer));
  client.stop();
  const ids = payloads(client, "tool.called").map(({ tool_use_id }) => tool_use_id);
  assert.deepEqual(ids, ["call_0", "call_0_2", "call_0_3"]);
  const results = server.requests.at(-1).body.messages.filter(({ role }) => role === "tool");
  assert.deepEqual(
    results.map(({ tool_call_id, content }) => [tool_call_id, /missing-\d/.exec(content)[0]]),
    ids.map((tool_use_id, n) => [tool_use_id, `missing-${n}`]),
  );
});

// What had come is paid for.
test("a cancelled call counts the tokens that had come", async () => {
  const words = Array.from(
    { length: 500 },
    () => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: "word " } }] })}\n\n`,
  );
  server.requests = [];
  server.answer = () => ({ bytes: streamed(words, { whole: false }), end: "hang" });
  const id = await create_session(port, { provider: "openai", model: "fake" });
  const client = await follow(port, id);
  const turn_id = await submit(port, id);
  await client.until(({ messages }) => spoken(messages.at(-1).content, "text").length === 2_500);
  client.follower.cancel(turn_id);
  await client.turn_ended(turn_id);
  client.stop();
  const [{ usage, cost_usd }] = payloads(client, "llm.call_failed");
  assert.equal(usage.output_tokens, 625);
  assert.equal(usage.estimated, true);
  assert.equal(cost_usd, 0.00625);
  assert.equal(payloads(client, "turn.cancelled")[0].usage.output_tokens, 625);
  const { cost_so_far_usd } = await (await fetch(`http://127.0.0.1:${port}/sessions/${id}`)).json();
  assert.equal(cost_so_far_usd, 0.00625);
});

test("a wait that is longer than the turn is not waited", async () => {
  server.requests = [];
  server.answer = () => ({
    bytes: Buffer.from(
      "HTTP/1.1 429 Too Many Requests\r\nretry-after: 3600\r\ncontent-length: 0\r\nconnection: close\r\n\r\n",
    ),
  });
  const patient = start_daemon({
    config: { sessions: { providers: { openai: { base_url: `${server.origin}/v1` } } } },
  });
  try {
    const patient_port = await patient.port();
    const id = await create_session(patient_port, { provider: "openai", model: "fake" });
    const client = await follow(patient_port, id);
    await client.turn_ended(await submit(patient_port, id));
    client.stop();
    const [failure, ...more] = payloads(client, "llm.call_failed");
    assert.deepEqual(more, []);
    assert.equal(failure.will_retry, false);
    assert.equal(failure.retry_after_ms, 3_600_000);
    assert.match(failure.message, /3600 s/);
    assert.equal(client.view.turn.status, "failed");
  } finally {
    await patient.stop();
  }
});
