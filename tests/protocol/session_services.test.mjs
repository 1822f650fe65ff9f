// Agent sessions whose model is elsewhere: servers that speak as OpenAI's and Anthropic's do, over
// HTTP and HTTPS, with their errors; keys that show nowhere; the tools that such a model runs.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

import { start_daemon } from "./support/daemon.mjs";
import { wait_until } from "./support/deadline.mjs";
import { temporary_directory } from "./support/engine.mjs";
import { http_request } from "./support/http.mjs";
import {
  anthropic_text,
  make_certificate,
  model_server,
  openai_text,
  openai_tool,
  stream_events,
} from "./support/model_server.mjs";
import { act_as_owner, create_session, session_request, submit, texts_of, watch } from "./support/session_client.mjs";

const key = "sk-test-0123456789abcdefghijklmnop";

const json_error = (status, message, headers = {}) => (response) => {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify({ error: { type: "error", message } }));
};

// For the length of `use`: a model's server and a daemon that is told of it.
const with_model = async (answers, use, { provider = "openai", tls, trust, sessions = {}, env = {} } = {}) => {
  const server = new model_server(answers, tls);
  const base_url = await server.listen();
  const variable = provider === "openai" ? "OPENAI_API_KEY" : "ANTHROPIC_API_KEY";
  const engine = start_daemon({
    config: { sessions: { ...sessions, providers: { [provider]: { base_url } } } },
    env: { [variable]: key, ...(trust ? { SSL_CERT_FILE: trust } : {}), ...env },
  });
  try {
    const port = await engine.port();
    act_as_owner(engine, port); // whose key the calls are made with
    await use({ engine, port, server, base_url });
    const files = ["trace.db", "trace.db-wal"].map((f) => path.join(engine.state_dir, f));
    for (const file of files)
      assert.ok(!readFileSync(file).includes(key), `${file} holds the key`);
    assert.ok(!engine.stderr.includes(key), "the key was logged");
  } finally {
    server.stop();
    await engine.stop();
  }
};

const authorization_of = (engine) => ({
  authorization: `Bearer ${readFileSync(path.join(engine.state_dir, "token"), "utf8").trim()}`,
});

// Runs a turn to its end; answers the client, which has seen all of it.
const run_turn = async (port, session, { content = "hello", headers } = {}) => {
  const client = await watch(port, session, {}, headers);
  await submit(port, session, content, headers);
  await client.frame(
    ({ type, event }) => type === "event" && ["turn.completed", "turn.cancelled"].includes(event.type),
  );
  await client.close();
  assert.ok(!JSON.stringify(client.frames).includes(key), "the key was shown");
  return client;
};

test("a turn against an OpenAI-shaped server, cut anywhere", async () => {
  const text = "Grüße, 世界 😀";
  await with_model(
    [
      (response) => stream_events(response, openai_text(text), 1),
      (response) => stream_events(response, openai_text("again"), 7),
    ],
    async ({ port, server }) => {
      const id = await create_session(port, { provider: "openai", model: "local-model", system: "Be brief." });
      const client = await run_turn(port, id);
      assert.deepEqual([...texts_of(client.events).complete.values()], [text]);
      assert.deepEqual([...texts_of(client.events).written.values()], [text]);
      const done = client.of_type("llm.call_completed")[0].payload;
      assert.equal(done.stop_reason, "end_turn");
      assert.equal(done.usage.input_tokens, 12);
      await run_turn(port, id, { content: "and?" });
      const [first, second] = server.requests;
      assert.equal(first.url, "/chat/completions");
      assert.equal(first.headers.authorization, `Bearer ${key}`);
      assert.equal(first.body.model, "local-model");
      assert.deepEqual(second.body.messages, [
        { role: "system", content: "Be brief." },
        { role: "user", content: "hello" },
        { role: "assistant", content: text },
        { role: "user", content: "and?" },
      ]);
    },
  );
});

test("a model uses the tools of its session", async () => {
  const workspace = temporary_directory();
  mkdirSync(path.join(workspace, "src"));
  writeFileSync(path.join(workspace, "notes.txt"), "password=hunter2hunter2\nthe answer is 42\n");
  const calls = [
    openai_tool("read_file", { path: "notes.txt" }),
    openai_tool("read_file", { path: "../../../etc/passwd" }),
    openai_tool("list_files", {}),
    openai_tool("shell", { command: "env; echo $((6*7)); cat /proc/self/environ" }),
    openai_tool("observe", { what: "errors" }),
    openai_text("42"),
  ];
  await with_model(
    calls.map((events) => (response) => stream_events(response, events, 11)),
    async ({ engine, port, server }) => {
      const id = await create_session(
        port,
        {
          provider: "openai",
          model: "m",
          workspace_path: workspace,
          tools: ["read_file", "list_files", "shell", "observe"],
          permissions: { shell: "allow" },
        },
        authorization_of(engine),
      );
      const client = await run_turn(port, id, { headers: authorization_of(engine) });
      const results = client.of_type("tool.completed").map(({ payload }) => payload);
      assert.match(results[0].result, /the answer is 42/);
      assert.ok(!JSON.stringify(client.frames).includes("hunter2"));
      assert.ok(!JSON.stringify(server.requests).includes("hunter2"));
      assert.equal(client.of_type("tool.failed")[0].payload.error_class, "denied");
      assert.match(results[1].result, /^notes.txt\t\d+\nsrc\/$/);
      assert.match(results[2].result, /^42$/m);
      assert.match(results[3].result, /"items":\[\]/);
      const asked = server.requests.at(-1).body;
      assert.deepEqual(asked.tools.map((tool) => tool.function.name).sort(), [
        "list_files",
        "observe",
        "read_file",
        "shell",
      ]);
      assert.deepEqual(asked.messages.slice(1, 3).map(({ role }) => role), ["assistant", "tool"]);
      assert.equal(client.of_type("turn.completed")[0].payload.tool_calls, 5);
    },
    { sessions: { allow_shell: true } },
  );
  rmSync(workspace, { recursive: true });
});

test("errors of a server are told as an API's user knows them", async () => {
  await with_model(
    [
      json_error(429, `Too many, ${key}`, { "retry-after-ms": "20" }),
      (response) => stream_events(response, openai_text("late")),
      json_error(401, "Wrong key."),
      (response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write(openai_text("half")[1]);
        setImmediate(() => response.destroy());
      },
      (response) => response.writeHead(307, { location: "http://127.0.0.1:1/" }).end(),
      (response) => stream_events(response, ["data: {nonsense\n\n"]),
      (response) => response.writeHead(200, { "content-type": "text/html" }).end("<html>"),
    ],
    async ({ port }) => {
      const id = await create_session(port, { provider: "openai", model: "m" });
      const retried = await run_turn(port, id);
      const limited = retried.of_type("llm.call_failed")[0].payload;
      assert.equal(limited.error_class, "rate_limited");
      assert.equal(limited.retry_after_ms, 20);
      assert.equal(limited.will_retry, true);
      assert.deepEqual([...texts_of(retried.events).complete.values()], ["late"]);
      for (const [error_class, sentence] of [
        ["authentication", /401: Wrong key\./],
        ["incomplete_stream", /\w/],
        ["invalid_request", /redirect/],
        ["malformed_stream", /JSON/],
        ["malformed_stream", /base_url/],
      ]) {
        const client = await run_turn(port, id);
        const { payload } = client.of_type("llm.call_failed")[0];
        assert.equal(payload.error_class, error_class, payload.message);
        assert.match(payload.message, sentence);
        assert.equal(client.of_type("turn.completed")[0].payload.status, "failed");
      }
    },
  );
});

test("an Anthropic-shaped server over TLS, with a certificate that is trusted or not", async () => {
  const directory = temporary_directory();
  const right = make_certificate(directory, "localhost");
  const wrong = make_certificate(directory, "elsewhere.test");
  const answers = [(response) => stream_events(response, anthropic_text("Hällo"), 3)];
  const anthropic = { provider: "anthropic", model: "claude" };
  await with_model(
    answers,
    async ({ port, server }) => {
      const client = await run_turn(port, await create_session(port, anthropic));
      assert.deepEqual([...texts_of(client.events).complete.values()], ["Hällo"]);
      assert.equal(server.requests[0].headers["x-api-key"], key);
      assert.equal(server.requests[0].url, "/v1/messages");
    },
    { provider: "anthropic", tls: right.tls, trust: right.file },
  );
  for (const { tls, trust } of [
    { tls: right.tls }, // not known to this machine
    { tls: wrong.tls, trust: wrong.file }, // known, but of another host
  ])
    await with_model(
      answers,
      async ({ port, server }) => {
        const id = await create_session(port, anthropic);
        const client = await watch(port, id);
        await submit(port, id);
        const { payload } = await client.event("llm.call_failed");
        assert.equal(payload.error_class, "network");
        assert.match(payload.message, /certificate/);
        assert.equal(server.requests.length, 0, "nothing was sent");
        await client.close();
      },
      { provider: "anthropic", tls, trust },
    );
  rmSync(directory, { recursive: true });
});

test("without a key, or with a wrong name, there is a sentence and no session", async () => {
  await with_model(
    [json_error(500, "unused")],
    async ({ port }) => {
      const refused = async (body, sentence) => {
        const answer = await session_request(port, "POST", "", { workspace_path: "/tmp", ...body });
        assert.equal(answer.status, 400, answer.text);
        assert.match(answer.json.error.message, sentence);
      };
      await refused({ provider: "anthropic", model: "m" }, /ANTHROPIC_API_KEY/);
      await refused({ provider: "openai" }, /'model' is missing/);
      await refused({ provider: "gemini", model: "m" }, /use scripted, anthropic, openai/);
      await refused({ provider: "openai", model: "a b" }, /no spaces/);
      await refused({ tools: ["teleport"] }, /there are read_file, list_files, delegate, observe/);
    },
  );
});

test("a key file is read at each call, and refused when others can read it", async () => {
  const directory = temporary_directory();
  const key_file = path.join(directory, "key");
  writeFileSync(key_file, `${key}\n`, { mode: 0o600 });
  const server = new model_server([(response) => stream_events(response, openai_text("ok"))]);
  const base_url = await server.listen();
  const engine = start_daemon({
    config: { sessions: { providers: { openai: { base_url, key_file } } } },
  });
  const port = await engine.port();
  act_as_owner(engine, port);
  const id = await create_session(port, { provider: "openai", model: "m" });
  await run_turn(port, id);
  writeFileSync(key_file, "another-key");
  await run_turn(port, id);
  assert.deepEqual(
    server.requests.map(({ headers }) => headers.authorization),
    [`Bearer ${key}`, "Bearer another-key"],
  );
  rmSync(key_file);
  const gone = await run_turn(port, id);
  assert.equal(gone.of_type("llm.call_failed")[0].payload.error_class, "authentication");
  writeFileSync(key_file, key, { mode: 0o644 });
  const open = await session_request(port, "POST", "", {
    workspace_path: "/tmp",
    provider: "openai",
    model: "m",
  });
  assert.equal(open.status, 400);
  assert.match(open.json.error.message, /chmod 600/);
  server.stop();
  await engine.stop();
  rmSync(directory, { recursive: true });
});

test("a cancelled turn ends the command and everything that it has started", async () => {
  const workspace = temporary_directory();
  await with_model(
    [
      (response) =>
        stream_events(
          response,
          openai_tool("shell", { command: "sleep 300 & echo $! > pid; trap '' TERM; sleep 300" }),
        ),
    ],
    async ({ engine, port }) => {
      const id = await create_session(
        port,
        {
          provider: "openai",
          model: "m",
          workspace_path: workspace,
          tools: ["shell"],
          permissions: { shell: "allow" },
        },
        authorization_of(engine),
      );
      const client = await watch(port, id, {}, authorization_of(engine));
      const turn = await submit(port, id, "go", authorization_of(engine));
      await client.event("tool.called");
      const file = path.join(workspace, "pid");
      const pid = await wait_until(
        () => {
          try {
            return Number(readFileSync(file, "utf8"));
          } catch {
            return undefined;
          }
        },
        () => "the command did not start",
      );
      client.cancel(turn);
      const failed = await client.event("tool.failed");
      assert.equal(failed.payload.error_class, "cancelled");
      await client.event("turn.cancelled");
      const state = () => {
        try {
          return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1][0];
        } catch {
          return "gone";
        }
      };
      await wait_until(() => ["gone", "Z"].includes(state()), () => `still ${state()}`);
      await client.close();
      const health = await http_request(port, { path: "/health" });
      assert.equal(health.status, 200);
    },
    { sessions: { allow_shell: true } },
  );
  rmSync(workspace, { recursive: true });
});
