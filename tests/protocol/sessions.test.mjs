// Agent sessions over HTTP: making, listing, attaching, turns, messages, feedback, events of agents
// that run elsewhere, who may have which tools, and what a crash leaves.
import assert from "node:assert/strict";
import { readFileSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";

import { start_daemon, with_daemon } from "./support/daemon.mjs";
import { temporary_directory } from "./support/engine.mjs";
import { http_request } from "./support/http.mjs";
import { ci_failure } from "./support/samples.mjs";
import {
  attach,
  connect,
  create_session,
  script_of,
  session_request,
  spoken,
  submit,
  texts_of,
  watch,
} from "./support/session_client.mjs";

let engine;
let port;

before(async () => {
  engine = start_daemon({ config: { sessions: { allow_shell: true } } });
  port = await engine.port();
});
after(() => engine.stop());

const send = (method, suffix, body, headers) =>
  session_request(port, method, suffix, body, headers);

const refused = async (status, ...request) => {
  const answer = await send(...request);
  assert.equal(answer.status, status, answer.text);
  assert.match(
    answer.json.error.message ?? answer.json.error,
    /\w.*[.;]/,
    "an error says what to do",
  );
  return answer;
};

const messages_of = async (id, query = "") =>
  (await send("GET", `/${id}/messages${query}`)).json;

test("a session is made, listed, attached to and deleted", async () => {
  const made = await send("POST", "", { workspace_path: "/srv/app", model: "m", provider: "scripted" });
  assert.equal(made.status, 201);
  const id = made.json.session_id;
  assert.match(id, /^sess_[0-9A-Z]{26}$/);
  const listed = (await send("GET", "")).json.sessions.find((session) => session.id === id);
  assert.equal(listed.workspace_path, "/srv/app");
  assert.equal(listed.active_model, "scripted:m");
  const attached = await attach(port, id);
  assert.equal(attached.session_id, id);
  assert.match(attached.attach_token, /^atk_/);
  assert.equal(
    attached.ws_url,
    `ws://127.0.0.1:${port}/sessions/${id}/stream?attach=${attached.attach_token}`,
  );
  const client = await watch(port, id);
  assert.equal((await send("DELETE", `/${id}`)).status, 204);
  const { code, reason } = await client.closed;
  assert.equal(code, 1000);
  assert.equal(JSON.parse(reason).code, "session_deleted");
  await refused(404, "GET", `/${id}`);
  await refused(404, "DELETE", `/${id}`);
});

test("methods, paths and bodies are checked", async () => {
  const id = await create_session(port);
  await refused(405, "PUT", "", {});
  assert.match((await refused(405, "DELETE", `/${id}/turns`)).headers.allow, /POST/);
  assert.match((await refused(405, "GET", `/${id}/turns`)).headers.allow, /POST/);
  assert.match((await refused(405, "POST", `/${id}`, {})).headers.allow, /DELETE/);
  for (const wrong of ["/", `/${id}/`, `/${id}/nothing`, `/${id}/turns/more`, `/${id}/messages/a/b`])
    await refused(404, "GET", wrong);
  await refused(404, "POST", "/sess_none/turns", { content: "x" });
  for (const body of ["{", "[]", "7", '"x"', "{}", '{"workspace_path":7}', '{"workspace_path":""}'])
    await refused(400, "POST", "", body);
  await refused(400, "POST", "", { workspace_path: "/tmp", provider: "nobody" });
  await refused(400, "POST", "", { workspace_path: "/tmp", tools: "shell" });
  await refused(400, "POST", "", `{"workspace_path":"/tmp","x":${"[".repeat(200_000)}`);
  await refused(400, "POST", `/${id}/turns`, {});
  await refused(400, "POST", `/${id}/turns`, { content: [] });
  await refused(415, "POST", `/${id}/turns`, "content=x", { "content-type": "text/html" });
  // Of a longer body the engine closes before it is sent, and Node.js shows that and no answer.
  await refused(413, "POST", `/${id}/turns`, Buffer.alloc((10 << 20) + 1, " "));
  await refused(400, "GET", `/${id}/messages?limit=many`);
  await refused(404, "GET", `/${id}/messages?before=msg_none`);
  await engine.http({ path: "/health" });
});

test("one turn at a time; its messages are read page by page", async () => {
  const id = await create_session(port, {
    script: script_of(spoken(["slow"], 300), spoken(["two"]), spoken(["three"])),
  });
  const client = await watch(port, id);
  const first = await submit(port, id, "one?");
  const busy = await refused(409, "POST", `/${id}/turns`, { content: "now" });
  assert.equal(busy.json.error.turn_id, first);
  await client.event("turn.completed");
  for (const content of ["two?", [{ type: "text", text: "three?" }]]) {
    const turn = await submit(port, id, content);
    await client.event("turn.completed", (event) => event.turn_id === turn);
  }
  await client.close();
  const all = await messages_of(id);
  assert.equal(all.has_more, false);
  assert.deepEqual(
    all.messages.map(({ role, content }) => `${role}: ${content[0].text}`),
    [
      "user: one?",
      "assistant: slow",
      "user: two?",
      "assistant: two",
      "user: three?",
      "assistant: three",
    ],
  );
  const walked = [];
  let query = "?limit=2";
  for (let more = true; more; ) {
    const page = await messages_of(id, query);
    walked.unshift(...page.messages);
    query = `?limit=2&before=${page.messages[0].id}`;
    more = page.has_more;
  }
  assert.deepEqual(walked, all.messages);
});

test("feedback is recorded on a message and shown to whoever watches", async () => {
  const id = await create_session(port, { script: script_of(spoken(["answer"])) });
  const client = await watch(port, id);
  await submit(port, id);
  await client.event("turn.completed");
  const { messages } = await messages_of(id);
  const route = `/${id}/messages/${messages.at(-1).id}/feedback`;
  assert.equal((await send("POST", route, { rating: "good", comment: "yes" })).status, 201);
  const event = await client.event("feedback.recorded");
  assert.deepEqual(event.payload, {
    message_id: messages.at(-1).id,
    rating: "good",
    comment: "yes",
  });
  await refused(400, "POST", route, {});
  await refused(400, "POST", route, { rating: [] });
  await refused(413, "POST", route, { comment: "x".repeat(70_000) });
  await refused(404, "POST", `/${id}/messages/msg_none/feedback`, { rating: 1 });
  await client.close();
});

test("an agent that runs elsewhere feeds its own turn", async () => {
  const id = await create_session(port);
  const client = await watch(port, id);
  const message_id = "msg_elsewhere";
  const say = (...events) => send("POST", `/${id}/events`, { events });
  const of_message = (type, payload) => ({ type, payload: { message_id, ...payload } });
  const answer = await say(
    { type: "turn.started", turn_id: "turn_elsewhere", payload: {} },
    of_message("message.start", { role: "assistant" }),
    of_message("text.delta", { content_block_index: 0, text: "from " }),
  );
  assert.equal(answer.status, 202, answer.text);
  await say(
    of_message("text.delta", { content_block_index: 0, text: "elsewhere" }),
    of_message("message.complete", {
      stop_reason: "end_turn",
      final_content: [{ type: "text", text: "from elsewhere" }],
      usage: {},
    }),
    { type: "turn.completed", payload: {} },
  );
  await client.event("turn.completed");
  const { written, complete } = texts_of(client.events);
  assert.deepEqual([...written.values()], ["from elsewhere"]);
  assert.deepEqual([...complete.values()], ["from elsewhere"]);
  await refused(400, "POST", `/${id}/events`, { events: [{ type: "made.up", payload: {} }] });
  await client.close();
});

test("what a tool elsewhere answered is kept without its secrets", async () => {
  const id = await create_session(port);
  const client = await watch(port, id);
  const secret = "Rt7bQ9kzLw4Zp2xv";
  const answer = await send("POST", `/${id}/events`, {
    events: [
      { type: "turn.started", turn_id: "turn_tools", payload: {} },
      {
        type: "tool.completed",
        payload: {
          tool_use_id: "use_1",
          tool_name: "env",
          duration_ms: 3,
          result: `HOME=/x\nAPI_TOKEN=${secret}`,
          is_error: false,
          truncated: false,
        },
      },
      { type: "turn.completed", payload: {} },
    ],
  });
  assert.equal(answer.status, 202, answer.text);
  await client.event("turn.completed");
  const [told] = client.events.filter(({ type }) => type === "tool.completed");
  assert.equal(told.payload.result, "HOME=/x\nAPI_TOKEN=[REDACTED]");
  assert.ok(!JSON.stringify(client.events).includes(secret));
  await client.close();
});

test("tools that reach files or run programs need the token", async () => {
  const token = readFileSync(path.join(engine.state_dir, "token"), "utf8").trim();
  for (const tool of ["shell", "read_file", "list_files"]) {
    const body = { workspace_path: engine.state_dir, tools: [tool] };
    const stranger = await refused(401, "POST", "", body);
    assert.equal(stranger.headers["www-authenticate"], "Bearer");
    await refused(401, "POST", "", body, { authorization: "Bearer wrong" });
    await refused(401, "POST", "", body, { authorization: "Bearer " });
    const trusted = await send("POST", "", body, { authorization: `Bearer ${token}` });
    assert.equal(trusted.status, 201, trusted.text);
    const { session_id: id } = trusted.json;
    for (const [method, below, sent] of [
      ["GET", ""],
      ["GET", "/messages"],
      ["POST", "/turns", { content: "go" }],
      ["POST", "/events", { type: "turn.started", turn_id: "turn_x", payload: {} }],
      ["POST", "/messages/msg_x/feedback", { rating: 1 }],
      ["DELETE", ""],
    ])
      await refused(401, method, `/${id}${below}`, sent);
    const used = await send("POST", `/${id}/turns`, { content: "go" }, { authorization: `Bearer ${token}` });
    assert.equal(used.status, 202, used.text);
  }
});

test("an alert joins the sessions of its page", async () => {
  const id = await create_session(port);
  const client = await watch(port, id);
  assert.equal((await engine.post("/ci-result", ci_failure())).status, 200);
  const event = await client.event("alert.raised");
  assert.match(event.payload.title, /\w/);
  await client.close();
});

test("health counts sessions and sockets; the trace is private", async () => {
  const client = await connect(port, await create_session(port));
  const { json } = await http_request(port, { path: "/health" });
  assert.ok(json.sessions.count >= 1, JSON.stringify(json.sessions));
  assert.ok(json.sessions.clients_opened >= 1);
  assert.ok(json.http.websockets >= 1);
  await client.close();
  for (const file of ["trace.db", "trace.db-wal"])
    assert.equal(statSync(path.join(engine.state_dir, file)).mode & 0o777, 0o600, file);
});

test("a server that ends in order says so, and keeps what it had", async () => {
  const state_dir = temporary_directory();
  let id;
  await with_daemon(
    async (_, first_port) => {
      id = await create_session(first_port, {
        script: script_of(spoken(["begun "]).concat(spoken(["never"], 600_000))),
      });
      const client = await watch(first_port, id);
      await submit(first_port, id);
      await client.event("text.delta");
      process.kill(_.pid, "SIGTERM");
      const { code, reason } = await client.closed;
      assert.equal(code, 1001);
      assert.equal(JSON.parse(reason).code, "server_shutdown");
      assert.deepEqual(client.types.slice(-3), [
        "message.complete",
        "llm.call_failed",
        "turn.cancelled",
      ]);
      await _.end();
    },
    { state_dir },
  );
  await with_daemon(
    async (_, second_port) => {
      const [session] = (await session_request(second_port, "GET", "")).json.sessions;
      assert.equal(session.id, id);
      const { messages } = (await session_request(second_port, "GET", `/${id}/messages`)).json;
      assert.deepEqual(
        messages.map(({ status }) => status),
        ["complete", "cancelled"],
      );
    },
    { state_dir },
  );
});

test("killed during turns: what was shown is kept, ids go on rising, turns are closed", async () => {
  const state_dir = temporary_directory();
  const script = script_of(
    ...Array.from({ length: 40 }, () => spoken(Array.from({ length: 200 }, (_, i) => `${i} `), 1)),
  );
  let id;
  let cursor;
  const seen = new Set();
  for (let round = 0; round < 6; ++round) {
    rmSync(path.join(state_dir, "port"), { force: true }); // of the one that was killed
    const running = start_daemon({ state_dir });
    const running_port = await running.port();
    id ??= await create_session(running_port, { script });
    const client = await watch(running_port, id, {
      since: cursor ?? null,
    });
    if (round > 0) {
      const closed = await client.event("turn.cancelled");
      assert.equal(closed.payload.reason, "server_restart");
    }
    await submit(running_port, id);
    await client.frame(() => client.of_type("text.delta").length > 5 + 9 * round);
    running.child.kill("SIGKILL");
    await running.exited;
    await client.closed;
    for (const { id: event_id, type } of client.events) {
      assert.ok(!seen.has(event_id), `${event_id} came twice`);
      seen.add(event_id);
      if (type.startsWith("turn.") || type.startsWith("llm.")) cursor = event_id;
    }
  }
  rmSync(path.join(state_dir, "port"), { force: true });
  await with_daemon(
    async (_, last_port) => {
      const client = await connect(last_port, id);
      client.subscribe({ snapshot: true });
      const snapshot = await client.frame(({ type }) => type === "snapshot");
      assert.equal(snapshot.session.turn_count, 6);
      assert.equal(snapshot.session.current_turn_id, null);
      await client.close();
    },
    { state_dir },
  );
});

test("a session that is deleted says so to a client that has not subscribed", async () => {
  const id = await create_session(port);
  const client = await connect(port, id);
  assert.equal((await send("DELETE", `/${id}`)).status, 204);
  const { code, reason } = await client.closed;
  assert.equal(code, 1000);
  assert.equal(JSON.parse(reason).code, "session_deleted");
});

test("a snapshot says whether there is more before it", () =>
  with_daemon(
    async (_, small_port) => {
      const id = await create_session(small_port, {
        script: script_of(...Array.from({ length: 3 }, () => spoken(["said"]))),
      });
      const client = await watch(small_port, id);
      const snapshot = async () => {
        const reader = await connect(small_port, id);
        reader.subscribe({ snapshot: true });
        const frame = await reader.frame(({ type }) => type === "snapshot");
        await reader.close();
        return frame;
      };
      assert.equal((await snapshot()).has_more, false);
      for (let n = 0; n < 3; ++n) {
        const turn = await submit(small_port, id);
        await client.event("turn.completed", ({ turn_id }) => turn_id === turn);
      }
      const { messages, has_more } = await snapshot();
      assert.equal(messages.length, 4);
      assert.equal(has_more, true);
      await client.close();
    },
    { config: { limits: { session_snapshot_messages: 4 } } },
  ));
