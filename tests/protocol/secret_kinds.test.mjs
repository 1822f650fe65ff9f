// Secrets whose surroundings give them away, one of each kind, in every place of every route; none
// of them comes out by any way that there is, or stands in a file.
import assert from "node:assert/strict";
import { readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";

import { start_engine, temporary_directory } from "./support/engine.mjs";
import { raw_http } from "./support/http.mjs";
import { create_session, script_of, session_request, submit, watch } from "./support/session_client.mjs";
import { kinds, made_of } from "./support/secret_kinds.mjs";

const attribute = (key, value) => ({ key, value: { stringValue: value } });
const trace = { traceId: "4bf92f3577b34da6a3ce929d0e0e4736", spanId: "00f067aa0ba902b7" };
const at = { startTimeUnixNano: "1769610602000000000", endTimeUnixNano: "1769610602029999999" };

const spans = (...of) => ({ resourceSpans: [{ resource: {}, scopeSpans: [{ spans: of }] }] });
const log_records = (...of) => ({ resourceLogs: [{ resource: {}, scopeLogs: [{ logRecords: of }] }] });
const log = (entry) => ["/logs", { entries: [entry] }];
const sentry = (event) => ["/api/1/store/", { platform: "javascript", level: "error", ...event }];

// Where a text can stand in what is sent: `n` tells the entries of one place apart.
const places = {
  "log message": (text, n) => log({ type: "console", level: "error", message: `${text}\n${n}` }),
  "logged argument": (text, n) => log({ type: "console", level: "warn", message: n, args: ["saw", text, { deep: [text] }] }),
  stack: (text, n) => log({ type: "exception", level: "error", message: `Error ${n}`, stack: `Error: ${text}\n    at f (http://localhost/a.js:1:1)` }),
  "exception message": (text, n) => log({ type: "exception", level: "error", message: `${n} ${text}` }),
  "request body": (text, n) => ["/network-bodies", { bodies: [{ url: `http://localhost/${n}`, method: "POST", status: 500, request_body: text }] }],
  "response body": (text, n) => ["/network-bodies", { bodies: [{ url: `http://localhost/${n}`, method: "GET", status: 500, response_body: text }] }],
  "data of a WebSocket": (text) => ["/websocket-events", { events: [{ event: "message", direction: "incoming", url: "ws://localhost/", data: text }] }],
  "closing of a WebSocket": (text) => ["/websocket-events", { events: [{ event: "close", url: "ws://localhost/", code: 1011, reason: text }] }],
  "value of an action": (text) => ["/enhanced-actions", { actions: [{ type: "input", timestamp: Date.now(), url: "http://localhost/", value: text, selectors: { css: "#a" } }] }],
  "address of a request": (text) => ["/network-waterfall", { entries: [{ url: `http://localhost/?msg=${encodeURIComponent(text)}`, initiator_type: "fetch", status: 500 }] }],
  "summary of a CI result": (text, n) => ["/ci-result", { status: "failure", source: "ci", ref: "main", commit: n, summary: text }],
  "failure of a CI result": (text, n) => ["/ci-result", { status: "failure", source: "ci2", ref: "main", commit: n, failures: [{ name: `t ${n}`, message: text }] }],
  "body of an OTLP log": (text) => ["/v1/logs", log_records({ severityText: "ERROR", severityNumber: 17, body: { stringValue: text } })],
  "attribute of an OTLP log": (text) => ["/v1/logs", log_records({ severityText: "ERROR", severityNumber: 17, body: { stringValue: "seen" }, attributes: [attribute("note", text)] })],
  "exception of a span": (text, n) =>
    ["/v1/traces", spans({ ...trace, ...at, name: `GET /${n}`, kind: 2, status: { code: 2, message: text }, attributes: [attribute("http.response.status_code", "500"), attribute("db.query.text", text)], events: [{ name: "exception", timeUnixNano: at.startTimeUnixNano, attributes: [attribute("exception.message", text), attribute("exception.stacktrace", `E: ${text}\n    at f (/app/a.js:1:1)`)] }] })],
  "message of a Sentry event": (text) => sentry({ message: text }),
  "exception of a Sentry event": (text) =>
    sentry({ exception: { values: [{ type: "Error", value: text, stacktrace: { frames: [{ filename: "/app/a.js", lineno: 1, function: "f", context_line: text, vars: { v: text } }] } }] } }),
  "what a Sentry event holds beside": (text, n) =>
    sentry({ message: `beside ${n}`, extra: { note: text }, contexts: { custom: { note: text } }, tags: { note: text }, request: { url: "http://localhost/", data: text }, breadcrumbs: { values: [{ message: text, category: "console" }, { category: "fetch", data: { url: "http://localhost/", body: text } }] } }),
  "report of a browser": (text) => ["/reports", [{ type: "csp-violation", age: 1, url: "http://localhost/", user_agent: "x", body: { documentURL: "http://localhost/", blockedURL: "inline", effectiveDirective: "script-src", disposition: "enforce", sample: text } }]],
  "data of a stream's event": (text) => ["/streams/kinds/events", { data: text }],
  "object in a stream's event": (text) => ["/streams/kinds/events", { data: { note: text, list: [text] } }],
};

const workspace = temporary_directory();
const sent = []; // every secret, with its kind and place
const seen = []; // what came out, with where
let engine;
let port;

const secret_of = (kind, place) => {
  const made = made_of(kind);
  sent.push({ where: `${kind} in ${place}`, value: made.value });
  return made.text;
};

const read_whole = async (what) => {
  for (let cursor, pages = 0; pages < 60; ++pages) {
    const page = await engine.observe({ what, limit: 1000, max_bytes: 1 << 20, include_noise: true, ...(cursor && { cursor }) });
    seen.push([`observe ${what}`, page.text]);
    if (!(cursor = page.cursor)) return;
  }
  assert.fail(`${what} does not end`);
};

// The events of a stream that are there, as a follower over SSE gets them.
const follow = async (name) => {
  const head = `GET /streams/${name}/events HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nLast-Event-ID: 0\r\n\r\n`;
  const ended = raw_http(port, head).catch(() => ({ text: "" }));
  const stopped = new Promise((resolve) => setTimeout(resolve, 500, { text: "" }));
  return (await Promise.race([ended, stopped])).text;
};

before(async () => {
  const config = path.join(workspace, "config.json");
  const limits = { client_tool_calls_per_minute: 1_000_000 };
  for (const buffer of ["error", "log", "body", "websocket", "waterfall", "action"])
    Object.assign(limits, { [`store_${buffer}_entries`]: 5000, [`store_${buffer}_bytes`]: 32 << 20 });
  writeFileSync(config, JSON.stringify({ limits }));
  engine = start_engine({
    args: ["--config", config, "--record", path.join(workspace, "recording.jsonl"), "--log-level", "trace"],
  });
  await engine.initialize();
  await engine.stream({ streaming_action: "enable", throttle_seconds: 1, severity_min: "info" });
  await engine.call("stream_create", { name: "kinds", stream_type: "in_memory" });
  await engine.call("stream_subscribe", { name: "kinds", stream_name: "kinds" });
  port = await engine.port();
  let n = 0;
  for (const [place, body_of] of Object.entries(places))
    for (const kind of Object.keys(kinds)) {
      const [route, body] = body_of(secret_of(kind, place), `n${(n += 1)}`);
      const answer = await engine.post(route, body);
      assert.ok([200, 201, 204].includes(answer.status), `${place}: ${answer.status} ${answer.text}`);
      assert.doesNotMatch(answer.text, /"rejected\w*":"?[1-9]/, place);
      seen.push([`the answer of ${route}`, answer.text]);
    }
  for (const kind of Object.keys(kinds)) {
    const text = secret_of(kind, "an event that an agent publishes");
    await engine.call("stream_publish", { stream_name: "kinds", data: { note: text } });
    writeFileSync(path.join(workspace, `${kind.replace(/\W/g, "")}.txt`), secret_of(kind, "a file that a model reads"));
  }
  for (const what of "errors logs network_waterfall network_bodies websocket_events actions timeline alerts ci page".split(" "))
    await read_whole(what);
  for (const what of ["errors", "api", "diff"])
    seen.push([`analyze ${what}`, JSON.stringify(await engine.call("analyze", { what }))]);
  for (const { uri } of (await engine.request("resources/list")).result.resources)
    seen.push([uri, JSON.stringify(await engine.request("resources/read", { uri }))]);
  seen.push(["the prompt", JSON.stringify(await engine.request("prompts/get", { name: "triage" }))]);
  seen.push(["health", (await engine.http({ path: "/health" })).text]);
  for (const name of ["kinds", "$alerts"]) seen.push([`followers of ${name}`, await follow(name)]);
  await engine.message((m) => m.method === "notifications/message");
});

after(() => engine.child.kill("SIGKILL"));

test("results of tools that a model of a session runs", async () => {
  const token = readFileSync(path.join(engine.state_dir, "token"), "utf8").trim();
  const bearer = { authorization: `Bearer ${token}` };
  const files = readdirSync(workspace).filter((name) => name.endsWith(".txt"));
  assert.equal(files.length, Object.keys(kinds).length);
  const script = script_of(...files.map((name) => [{ tool_use: { name: "read_file", input: { path: name } } }]), [{ text: "Done." }]);
  const id = await create_session(port, { workspace_path: workspace, tools: ["read_file"], script }, bearer);
  const client = await watch(port, id, {}, bearer);
  await submit(port, id, "go", bearer);
  await client.event("turn.completed");
  assert.equal(client.of_type("tool.completed").length, files.length);
  seen.push(["the stream of a session", JSON.stringify(client.frames)]);
  seen.push(["messages of a session", (await session_request(port, "GET", `/${id}/messages`, undefined, bearer)).text]);
  await client.close();
});

// The forms in which a part could stand in a text: plain, JSON-escaped once or twice, URL-encoded.
const forms = (part) => {
  const once = JSON.stringify(part).slice(1, -1);
  return [...new Set([part, once, JSON.stringify(once).slice(1, -1), encodeURIComponent(part)])];
};

const leaks_in = (text) =>
  sent.filter(({ value }) => forms(value).some((form) => text.includes(form))).map(({ where }) => where);

test("nothing of them came out, and what was around them did", async () => {
  engine.child.stdin.end();
  assert.equal((await engine.end()).code, 0);
  seen.push(["stdout", engine.lines.join("\n")], ["stderr", engine.stderr]);
  for (const folder of [workspace, engine.state_dir])
    for (const name of readdirSync(folder, { recursive: true })) {
      const file = path.join(folder, name);
      if (statSync(file).isFile() && !name.endsWith(".txt")) seen.push([`the file ${path.basename(file)}`, readFileSync(file, "latin1")]);
    }
  assert.ok(seen.some(([where]) => where.includes("recording.jsonl")) && seen.some(([where]) => where.includes("trace.db")));
  const all = seen.map(([, text]) => text).join("\n");
  assert.ok(all.split("[REDACTED").length > 1000);
  for (const kept of ["ann@b.test", "db.test", "auth/setAccessToken"]) assert.ok(all.includes(kept), kept);
  const leaked = new Map();
  for (const [where, text] of seen)
    for (const what of leaks_in(text)) leaked.set(what, [...(leaked.get(what) ?? []), where]);
  assert.deepEqual(Object.fromEntries(leaked), {});
});
