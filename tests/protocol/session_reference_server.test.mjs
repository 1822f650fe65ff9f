// A model server that others wrote (@copilotkit/aimock), which speaks both APIs: whole turns with
// tools against it, its refusals, and answers that break off.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { after, before, beforeEach, describe, test } from "node:test";

import { LLMock } from "@copilotkit/aimock";

import { start_daemon } from "./support/daemon.mjs";
import { assert_rising, create_session, submit } from "./support/session_client.mjs";
import { follow } from "./support/watching_client.mjs";

let server;
let engine;
let port;
let bearer;

before(async () => {
  server = new LLMock({ port: 0, host: "127.0.0.1", logLevel: "silent" });
  await server.start();
  engine = start_daemon({
    config: {
      sessions: {
        providers: {
          openai: { base_url: `${server.url}/v1` },
          anthropic: { base_url: server.url },
        },
      },
      limits: { session_call_retries: 1 },
    },
    env: { OPENAI_API_KEY: "k", ANTHROPIC_API_KEY: "k" },
  });
  port = await engine.port();
  const token = readFileSync(path.join(engine.state_dir, "token"), "utf8").trim();
  bearer = { authorization: `Bearer ${token}` };
});
after(async () => {
  await engine.stop();
  await server.stop();
});
beforeEach(() => server.reset());

for (const provider of ["openai", "anthropic"])
  describe(provider, () => {
    const run = async (say, more) => {
      const id = await create_session(
        port,
        { provider, model: "fake", tools: ["list_files"], ...more },
        bearer,
      );
      const client = await follow(port, id, { headers: bearer });
      await client.turn_ended(await submit(port, id, say, bearer));
      client.stop();
      assert_rising(client.events);
      return client;
    };

    const payloads = (client, type) =>
      client.events.filter((event) => event.type === type).map(({ payload }) => payload);

    const spoken = (client) =>
      client.view.messages
        .at(-1)
        .content.filter(({ type }) => type === "text")
        .map(({ text }) => text)
        .join("");

    test("an answer in many pieces, with its usage", async () => {
      const content = "Grüße, 😀 and a long answer. ".repeat(40);
      server.onMessage("speak", {
        content,
        usage: {
          prompt_tokens: 321,
          completion_tokens: 45,
          total_tokens: 366,
          input_tokens: 321,
          output_tokens: 45,
        },
      });
      const client = await run("Please speak.");
      assert.equal(client.view.turn.status, "completed");
      assert.equal(spoken(client), content);
      const [{ usage }] = payloads(client, "llm.call_completed");
      assert.deepEqual([usage.input_tokens, usage.output_tokens], [321, 45]);
    });

    test("two tools are run, and their results are what the second call is answered by", async () => {
      server.on(
        { userMessage: "look", hasToolResult: false },
        {
          toolCalls: [
            { name: "list_files", arguments: '{"path":"missing-one"}' },
            { name: "list_files", arguments: '{"path":"missing-two"}' },
          ],
        },
      );
      server.on({ userMessage: "look", hasToolResult: true }, { content: "Both are missing." });
      const client = await run("Please look.");
      assert.equal(client.view.turn.status, "completed");
      assert.equal(spoken(client), "Both are missing.");
      const called = payloads(client, "tool.called");
      assert.deepEqual(
        called.map(({ tool_name, input }) => [tool_name, input.path]),
        [
          ["list_files", "missing-one"],
          ["list_files", "missing-two"],
        ],
      );
      assert.equal(payloads(client, "llm.call_completed").length, 2);
      const results = server
        .getRequests()
        .at(-1)
        .body.messages.filter(({ role }) => role === "tool");
      assert.deepEqual(
        results.map(({ tool_call_id }) => tool_call_id).toSorted(),
        called.map(({ tool_use_id }) => tool_use_id).toSorted(),
      );
    });

    test("a rate limit is waited out, then the answer comes", async () => {
      let calls = 0;
      const busy = { error: { message: "Slow down.", type: "rate_limit_error" }, status: 429, retryAfter: 1 };
      server.on({ userMessage: "hurry", predicate: () => calls++ === 0 }, busy);
      server.onMessage("hurry", { content: "Done." });
      const client = await run("Please hurry.");
      const [failure] = payloads(client, "llm.call_failed");
      assert.equal(failure.error_class, "rate_limited");
      assert.equal(failure.will_retry, true);
      assert.equal(failure.retry_after_ms, 1_000);
      assert.match(failure.message, /Slow down/);
      assert.equal(client.view.turn.status, "completed");
      assert.equal(spoken(client), "Done.");
    });

    test("an answer that breaks off is a failure that keeps what had come", async () => {
      server.on(
        { userMessage: "break" },
        { content: "word ".repeat(200) },
        { chunkSize: 5, truncateAfterChunks: 20, latency: 5 },
      );
      const client = await run("Please break.");
      assert.equal(client.view.turn.status, "failed");
      const [failure] = payloads(client, "llm.call_failed");
      assert.equal(failure.error_class, "incomplete_stream");
      assert.match(spoken(client), /^word word /);
      assert.ok(spoken(client).length < 1_000);
    });
  });
