// The APIs' own JavaScript clients read what the fakes of this folder write, whole and byte by byte:
// what they make of it is what the engine makes of it, answers and refusals alike.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";

import { anthropic } from "./support/anthropic_server.mjs";
import { start_daemon } from "./support/daemon.mjs";
import { openai } from "./support/openai_server.mjs";
import { each_byte, provider_server, streamed } from "./support/provider_server.mjs";
import { act_as_owner, create_session, submit } from "./support/session_client.mjs";
import { follow } from "./support/watching_client.mjs";

const text = { type: "text", pieces: ["Grüß", "e: €", '😀 "quoted"\n', "\\end"] };
const thinking = { type: "thinking", pieces: ["First ", "this."], signature: "c2lnbmVk" };
const tool = (id, pieces) => ({ type: "tool_use", id, name: "observe", pieces });
const health = tool("call_01", ['{"wh', 'at":"hea', 'lth"}']);
const errors = tool("call_02", ['{"what":', '"errors","limit":3}']);

const parsed = (json) => JSON.parse(json || "{}");
const question = [{ role: "user", content: "Say it." }];

// How each API is read by its own client: `read` gives {text, tools, stop, usage}, or throws what it
// made of a refusal.
const readers = [
  {
    api: openai,
    stops: { stop: "end_turn", tool_calls: "tool_use" },
    async read(origin) {
      const client = new OpenAI({ baseURL: openai.base_url(origin), apiKey: "k", maxRetries: 0 });
      const completion = await client.chat.completions
        .stream({ model: "fake", messages: question, stream_options: { include_usage: true } })
        .finalChatCompletion();
      const [{ message, finish_reason }] = completion.choices;
      return {
        text: message.content ?? "",
        tools: (message.tool_calls ?? []).map(({ id, function: { name, arguments: args } }) => [
          id,
          name,
          parsed(args),
        ]),
        stop: this.stops[finish_reason],
        usage: [completion.usage.prompt_tokens, completion.usage.completion_tokens],
      };
    },
  },
  {
    api: anthropic,
    async read(origin) {
      const client = new Anthropic({ baseURL: origin, apiKey: "k", maxRetries: 0 });
      const message = await client.messages
        .stream({ model: "fake", max_tokens: 1_000, messages: question })
        .finalMessage();
      const of_type = (type) => message.content.filter((block) => block.type === type);
      return {
        text: of_type("text")
          .map((block) => block.text)
          .join(""),
        tools: of_type("tool_use").map(({ id, name, input }) => [id, name, input]),
        stop: message.stop_reason,
        usage: [message.usage.input_tokens, message.usage.output_tokens],
      };
    },
  },
];

for (const reader of readers) {
  const { api } = reader;
  describe(api.provider, () => {
    let server;
    let engine;
    let port;

    before(async () => {
      server = await new provider_server().listen();
      engine = start_daemon({
        config: {
          sessions: { providers: { [api.provider]: { base_url: api.base_url(server.origin) } } },
          limits: { session_call_retries: 0 },
        },
        env: { OPENAI_API_KEY: "k", ANTHROPIC_API_KEY: "k" },
      });
      port = await engine.port();
      act_as_owner(engine, port);
    });
    after(async () => {
      await engine.stop();
      await server.close();
    });

    // The events of the first call of a turn; a second call is told that all is well.
    const turn_of = async (answer) => {
      const last = { bytes: streamed(api.events({ blocks: [text] })) };
      server.requests = [];
      server.answer = (request, nth) => (nth === 0 ? answer : last);
      const id = await create_session(port, {
        provider: api.provider,
        model: "fake",
        tools: ["observe"],
      });
      const client = await follow(port, id);
      await client.turn_ended(await submit(port, id, "Say it."));
      client.stop();
      return (type) => client.events.find((event) => event.type === type)?.payload;
    };

    const read_by_engine = async (answer) => {
      const first = await turn_of(answer);
      const { final_content, stop_reason, usage } = first("message.complete");
      return {
        text: final_content
          .filter(({ type }) => type === "text")
          .map((block) => block.text)
          .join(""),
        tools: final_content
          .filter(({ type }) => type === "tool_use")
          .map(({ id, name, input }) => [id, name, input]),
        stop: stop_reason,
        usage: [usage.input_tokens, usage.output_tokens],
      };
    };

    const read_by_client = (answer) => {
      server.answer = () => answer;
      return reader.read(server.origin);
    };

    const answers = {
      "a text": { blocks: [text] },
      "thoughts, then a text": { blocks: [thinking, text] },
      "two calls after a text": { blocks: [text, health, errors], uses_tools: true },
      "a call without a word": { blocks: [tool("call_03", [])], uses_tools: true },
      "an empty text": { blocks: [{ type: "text", pieces: [""] }] },
    };
    for (const [name, shape] of Object.entries(answers))
      test(name, async () => {
        const bytes = streamed(
          api.events({ ...shape, usage: { input_tokens: 1_234, output_tokens: 56 } }),
        );
        for (const cut of [undefined, each_byte]) {
          const theirs = await read_by_client({ bytes, cut });
          assert.deepEqual(await read_by_engine({ bytes, cut }), theirs);
          assert.deepEqual(theirs.usage, [1_234, 56]);
        }
      });

    test("refusals: what the client calls the fault, the engine tells", async () => {
      for (const [status, error_class] of [
        [400, "invalid_request"],
        [401, "authentication"],
        [429, "rate_limited"],
        [500, "server_error"],
      ]) {
        const answer = { bytes: api.refusal(status, `Refused with ${status}.`) };
        const theirs = await read_by_client(answer).then(
          () => assert.fail("the client took a refusal for an answer"),
          (problem) => problem,
        );
        assert.equal(theirs.status, status);
        assert.match(theirs.message, new RegExp(`Refused with ${status}`));
        const failure = (await turn_of(answer))("llm.call_failed");
        assert.equal(failure.status, status);
        assert.equal(failure.error_class, error_class);
        assert.match(failure.message, new RegExp(`Refused with ${status}`));
      }
    });

    test("an error in the middle of the stream is a failure to both", async () => {
      const parts = api.events({ blocks: [text] }).slice(0, 4);
      const answer = { bytes: streamed([...parts, api.error_event("The model has stopped.")]) };
      await assert.rejects(read_by_client(answer), /The model has stopped/);
      assert.match((await turn_of(answer))("llm.call_failed").message, /The model has stopped/);
    });
  });
}
