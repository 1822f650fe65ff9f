// Turns of agent sessions with model providers over HTTP: fakes on this machine answer in the
// shapes of the public APIs, cut at every byte, and fail in every way that a network has.
import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import net from "node:net";
import path from "node:path";
import { after, before, describe, test } from "node:test";

import { text_of } from "../../tools/page_script/session_client/session_view.mjs";
import { anthropic } from "./support/anthropic_server.mjs";
import { start_daemon } from "./support/daemon.mjs";
import { wait_until } from "./support/deadline.mjs";
import { temporary_directory } from "./support/engine.mjs";
import { openai } from "./support/openai_server.mjs";
import { cut_at, each_byte, provider_server, streamed } from "./support/provider_server.mjs";
import { act_as_owner, assert_rising, create_session, submit } from "./support/session_client.mjs";
import { follow } from "./support/watching_client.mjs";

const key = "k-" + "7Qw9zR2m".repeat(4);
const text = { type: "text", pieces: ["Grüß", "e: €", '😀 "quoted"\n', "\\end"] };
const thinking = { type: "thinking", pieces: ["First ", "this."], signature: "c2lnbmVk" };
const tool = {
  type: "tool_use",
  id: "call_01",
  name: "observe",
  pieces: ['{"wh', 'at":"hea', 'lth"}'],
};
const said = text.pieces.join("");

const of_type = (client, type) =>
  client.events.filter((event) => event.type === type).map(({ payload }) => payload);

const failures = (client) => of_type(client, "llm.call_failed");

for (const api of [anthropic, openai])
  describe(api.provider, () => {
    let server;
    let engine;
    let port;
    let keys;

    before(async () => {
      server = await new provider_server().listen();
      keys = temporary_directory();
      const key_file = path.join(keys, "provider-key");
      writeFileSync(key_file, `${key}\n`, { mode: 0o600 });
      engine = start_daemon({
        config: {
          sessions: {
            providers: { [api.provider]: { base_url: api.base_url(server.origin), key_file } },
          },
          limits: { session_call_retries: 2, session_call_idle_ms: 2_000 },
        },
      });
      port = await engine.port();
      act_as_owner(engine, port);
    });
    after(async () => {
      await engine.stop();
      await server.close();
      rmSync(keys, { recursive: true, force: true });
    });

    // A new session and a client of it; `say` starts a turn and waits for its end.
    const open = async (more) => {
      const id = await create_session(port, { provider: api.provider, model: "fake", ...more });
      const client = await follow(port, id);
      const say = async (content) => client.turn_ended(await submit(port, id, content));
      return { id, client, say };
    };

    // One turn of a new session, whose calls are answered in this order.
    const turn = async (answers, more) => {
      server.requests = [];
      server.answer = (request, nth) => answers[Math.min(nth, answers.length - 1)];
      const { client, say } = await open(more);
      try {
        await say("Say it.");
        assert_rising(client.events);
        assert.ok(!JSON.stringify(client.events).includes(key), "the key is shown");
        return client;
      } finally {
        client.stop();
      }
    };

    const whole = (blocks, more) => streamed(api.events({ blocks, ...more }));

    const assert_said = ({ view }) => {
      assert.equal(view.turn.status, "completed", JSON.stringify(view.turn));
      assert.equal(text_of(view.messages.at(-1)), said);
      assert.equal(view.repaired, 0);
    };

    test("a turn: the request, the blocks, the usage", async () => {
      const client = await turn([{ bytes: whole([thinking, text]) }], { system: "Be brief." });
      assert_said(client);
      const [request] = server.requests;
      assert.equal(request.path, api.path);
      assert.equal(request.method, "POST");
      assert.equal(api.key_in(request.headers), key);
      assert.equal(request.body.model, "fake");
      assert.equal(request.body.stream, true);
      assert.match(JSON.stringify(request.body), /Say it\./);
      assert.match(JSON.stringify(request.body), /Be brief\./);
      const [thought, answer] = client.view.messages.at(-1).content;
      assert.equal(thought.text, "First this.");
      assert.equal(answer.text, said);
      const [{ usage, stop_reason }] = of_type(client, "llm.call_completed");
      assert.equal(stop_reason, "end_turn");
      assert.equal(usage.input_tokens, 11);
      assert.equal(usage.output_tokens, 7);
    });

    test("a tool is run and its result goes back under its id", async () => {
      const first = { ...text, pieces: ["Let me look."] };
      const client = await turn(
        [{ bytes: whole([thinking, first, tool], { uses_tools: true }) }, { bytes: whole([text]) }],
        { tools: ["observe"] },
      );
      assert_said(client);
      assert.deepEqual(
        client.view.tools.map(({ id, name, input }) => ({ id, name, input })),
        [{ id: "call_01", name: "observe", input: { what: "health" } }],
      );
      const [{ body }, { body: second }] = server.requests;
      assert.match(JSON.stringify(body.tools), /observe/);
      const [result, ...others] = api.results_in(second);
      assert.deepEqual(others, []);
      assert.equal(result.id, "call_01");
      assert.ok(result.text.length > 10, result.text);
      assert.match(JSON.stringify(second.messages), /Let me look\./);
    });

    test("one byte at a time", async () => {
      const bytes = whole([thinking, text]);
      assert_said(await turn([{ bytes, cut: each_byte }]));
    });

    // The head, the chunk sizes, the events, their JSON, the characters: each is cut everywhere.
    test("cut in two at every position", async () => {
      const bytes = whole([{ ...thinking, pieces: ["Hm."] }, text]);
      server.requests = [];
      server.answer = ({ body }) => ({ bytes, cut: cut_at(Number(body.model.slice(4))) });
      const positions = Array.from(bytes, (_, n) => n);
      const work = async () => {
        for (let at; (at = positions.pop()) !== undefined;) {
          const { client, say } = await open({ model: `cut-${at}` });
          await say();
          client.stop();
          assert_said(client);
        }
      };
      await Promise.all(Array.from({ length: 8 }, work));
    });

    test("other servers' ways: CRLF, comments, no space, events that are unknown", async () => {
      const plain = api.events({ blocks: [text] });
      const odd = [
        plain.map((event) => event.replaceAll("\n", "\r\n")),
        plain.map((event) => event.replaceAll("data: ", "data:").replaceAll("event: ", "event:")),
        [": welcome\n\n", ...plain.flatMap((event) => [event, ": still here\n\n"])],
        ["\uFEFF", ...plain],
        [plain.join("")],
      ];
      for (const parts of odd) assert_said(await turn([{ bytes: streamed(parts) }]));
    });

    test("429 is tried again when the server says, then the turn goes on", async () => {
      const started = performance.now();
      const client = await turn([
        { bytes: api.refusal(429, "Too many tokens.", { "retry-after": "1" }) },
        { bytes: whole([text]) },
      ]);
      assert_said(client);
      const [failure] = failures(client);
      assert.equal(failure.error_class, "rate_limited");
      assert.equal(failure.status, 429);
      assert.equal(failure.retry_after_ms, 1_000);
      assert.equal(failure.will_retry, true);
      assert.match(failure.message, /Too many tokens/);
      assert.ok(performance.now() - started >= 1_000);
      assert.equal(client.view.turn.error, undefined);
    });

    test("servers that are overloaded or broken are tried again, not for ever", async () => {
      for (const [status, error_class] of [
        [529, "overloaded"],
        [500, "server_error"],
      ]) {
        const client = await turn([
          { bytes: api.refusal(status, "Not now.", { "retry-after": "0" }) },
        ]);
        assert.equal(client.view.turn.status, "failed");
        assert.deepEqual(
          failures(client).map((failure) => [failure.error_class, failure.will_retry]),
          [
            [error_class, true],
            [error_class, true],
            [error_class, false],
          ],
        );
        assert.equal(server.requests.length, 3);
      }
    });

    test("what no other try can mend is not tried again", async () => {
      for (const [status, error_class] of [
        [400, "invalid_request"],
        [401, "authentication"],
      ]) {
        const client = await turn([{ bytes: api.refusal(status, `No: ${key} is wrong.`) }]);
        assert.equal(client.view.turn.status, "failed");
        assert.deepEqual(
          failures(client).map((failure) => [failure.error_class, failure.status]),
          [[error_class, status]],
        );
        assert.equal(server.requests.length, 1);
      }
    });

    // What was shown stays: the message is kept as failed, and the call is not repeated.
    const assert_half = (client, classes) => {
      const message = client.view.messages.at(-1);
      assert.equal(message.role, "assistant");
      assert.equal(message.status, "failed");
      assert.ok(said.startsWith(text_of(message)), text_of(message));
      assert.equal(client.view.turn.status, "failed");
      const [failure, ...more] = failures(client);
      assert.deepEqual(more, []);
      assert.ok(classes.includes(failure.error_class), failure.error_class);
      assert.equal(failure.will_retry, false);
      assert.equal(server.requests.length, 1);
    };

    const half = () => {
      const events = api.events({ blocks: [text] });
      const at = events.findIndex((event) => event.includes('"e: €"'));
      return events.slice(0, at + 1);
    };

    test("half a stream: ended, cut off, reset, within an event or a character", async () => {
      const inside = Buffer.from('data: {"text":"€').subarray(0, -1);
      for (const parts of [half(), [...half(), inside]])
        for (const whole_body of [true, false])
          for (const end of ["close", "reset"]) {
            const client = await turn([{ bytes: streamed(parts, { whole: whole_body }), end }]);
            // A reset may overtake what was written before it, so that no message has begun.
            if (end === "reset" && client.view.messages.at(-1).role === "user")
              assert.equal(client.view.turn.status, "failed");
            else assert_half(client, ["incomplete_stream", "malformed_stream", "network"]);
          }
    });

    test("a stream that is no sense: broken JSON, broken chunks, an error within", async () => {
      const broken_json = streamed([...half(), 'data: {"type":\n\n']);
      const broken_chunk = Buffer.concat([
        streamed(half(), { whole: false }),
        Buffer.from("zz\r\nnot a chunk\r\n"),
      ]);
      const errors = streamed([...half(), api.error_event("The model is overloaded.")]);
      for (const bytes of [broken_json, broken_chunk])
        assert_half(await turn([{ bytes }]), ["malformed_stream", "incomplete_stream", "network"]);
      const client = await turn([{ bytes: errors }]);
      assert_half(client, ["overloaded", "server_error"]);
      assert.match(failures(client)[0].message, /overloaded/);
    });

    test("bytes that are no UTF-8 are survived", async () => {
      const events = api.events({ blocks: [{ type: "text", pieces: ["a", "§§", "b"] }] });
      const parts = events.map((event) => {
        const bytes = Buffer.from(event);
        const at = bytes.indexOf("§§");
        return at < 0
          ? bytes
          : Buffer.from([...bytes.subarray(0, at), 0xff, 0xc3, ...bytes.subarray(at + 4)]);
      });
      const client = await turn([{ bytes: streamed(parts) }]);
      const message = client.view.messages.at(-1);
      assert.match(text_of(message), /^a\uFFFD*/);
      assert.notEqual(client.view.turn.status, "in_flight");
    });

    test("an answer that is no stream", async () => {
      const html = Buffer.from(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 15\r\n" +
          "Connection: close\r\n\r\n<h1>Proxy</h1>\n",
      );
      for (const bytes of [html, Buffer.from("SSH-2.0-OpenSSH_9.2\r\n"), Buffer.alloc(0)]) {
        const client = await turn([{ bytes }]);
        assert.equal(client.view.turn.status, "failed");
        assert.ok(failures(client).length > 0);
      }
    });

    test("a server that falls silent is given up", async () => {
      const client = await turn([{ bytes: streamed(half(), { whole: false }), end: "hang" }]);
      assert_half(client, ["timeout"]);
      await wait_until(
        () => server.requests[0].closed,
        () => "the connection is still open",
      );
    });

    test("a cancel drops the connection to the provider", async () => {
      server.requests = [];
      server.answer = () => ({ bytes: streamed(half(), { whole: false }), end: "hang" });
      const { id, client } = await open();
      const turn_id = await submit(port, id);
      await client.until(({ messages }) => text_of(messages.at(-1)).endsWith("e: €"));
      client.follower.cancel(turn_id);
      await client.turn_ended(turn_id);
      client.stop();
      assert.equal(client.view.turn.status, "cancelled");
      assert.equal(client.view.messages.at(-1).status, "cancelled");
      await wait_until(
        () => server.requests[0].closed,
        () => "the connection is still open",
      );
    });

    test("the next turn tells the model what was said before", async () => {
      server.requests = [];
      server.answer = () => ({ bytes: whole([text]) });
      const { client, say } = await open();
      for (const question of ["One?", "Two?"]) await say(question);
      client.stop();
      const { messages } = server.requests[1].body;
      const spoken = JSON.stringify(messages);
      assert.match(spoken, /One\?/);
      assert.match(spoken, /Two\?/);
      assert.ok(spoken.includes(JSON.stringify(said).slice(1, -1)), spoken);
      assert.deepEqual(
        messages
          .map(({ role }) => role)
          .filter((role) => role !== "system" && role !== "developer"),
        ["user", "assistant", "user"],
      );
    });
  });

// Nobody listens there any more.
test("a provider that cannot be reached fails the turn after its tries", async () => {
  const listener = net.createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => listener.once("listening", resolve));
  const { port: dead } = listener.address();
  await new Promise((resolve) => listener.close(resolve));
  const engine = start_daemon({
    config: {
      sessions: { providers: { openai: { base_url: `http://127.0.0.1:${dead}/v1` } } },
      limits: { session_call_retries: 1 },
    },
  });
  try {
    const reached = await engine.port();
    const id = await create_session(reached, { provider: "openai", model: "fake" });
    const client = await follow(reached, id);
    await client.turn_ended(await submit(reached, id));
    client.stop();
    assert.equal(client.view.turn.status, "failed");
    assert.deepEqual(
      failures(client).map(({ error_class }) => error_class),
      ["network", "network"],
    );
  } finally {
    await engine.stop();
  }
});
