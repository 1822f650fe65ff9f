// The engine against a client that nobody here wrote: the official SDK over stdio.
import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { LoggingMessageNotificationSchema } from "@modelcontextprotocol/sdk/types.js";

import { bound, wait_until } from "./support/deadline.mjs";
import { binary, clean_environment, temporary_directory } from "./support/engine.mjs";
import { http_request } from "./support/http.mjs";
import { ci_failure, exception } from "./support/samples.mjs";

let state_dir;
let transport;
let client;
let port;
const notices = [];
const transport_errors = [];

before(async () => {
  state_dir = temporary_directory();
  transport = new StdioClientTransport({
    command: binary,
    args: ["mcp", "--port", "0", "--state-dir", state_dir],
    env: clean_environment(state_dir),
    stderr: "pipe",
  });
  client = new Client({ name: "sdk test", version: "1.0.0" });
  client.onerror = (error) => transport_errors.push(error);
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) =>
    notices.push(params),
  );
  await client.connect(transport);
  const file = path.join(state_dir, "port");
  await wait_until(
    () => existsSync(file),
    () => "no port file",
  );
  port = Number(readFileSync(file, "utf8"));
});

after(async () => {
  await client.close();
  rmSync(state_dir, { recursive: true, force: true });
});

const configure = async (args) => {
  const result = await client.callTool({ name: "configure", arguments: args });
  assert.ok(!result.isError, result.content[0].text);
  return JSON.parse(result.content[0].text);
};
const stream = (args) => configure({ action: "streaming", ...args });

const post = async (route, body) => {
  const answer = await http_request(port, { method: "POST", path: route, body });
  assert.equal(answer.status, 200, answer.text);
  return answer;
};

// Every member of every notification so far.
const told_titles = () =>
  notices.flatMap(({ data }) => [data.title, ...(data.alerts ?? []).map((a) => a.title)]);

const told = (pattern) =>
  wait_until(
    () => told_titles().find((title) => pattern.test(title)),
    () => `told so far: ${JSON.stringify(notices)}`,
  );

const observed_alerts = async () => {
  const result = await client.callTool({ name: "observe", arguments: { what: "errors" } });
  const block = result.content[1]?.text;
  return block === undefined ? [] : JSON.parse(block.slice(block.indexOf("[")));
};

test("the handshake names the server and what it can do", () => {
  assert.equal(client.getServerVersion().name, "gasoline");
  const capabilities = client.getServerCapabilities();
  assert.ok(capabilities.logging && capabilities.tools && capabilities.resources);
  assert.match(client.getInstructions(), /observe/);
});

test("tools are listed", async () => {
  const { tools } = await client.listTools();
  assert.deepEqual(
    tools.map(({ name }) => name).filter((name) => /observe|configure/.test(name)),
    ["observe", "configure"],
  );
});

test("the guide is a resource", async () => {
  const { resources } = await client.listResources();
  assert.ok(resources.some(({ uri }) => uri === "gasoline://guide"));
  const { contents } = await client.readResource({ uri: "gasoline://guide" });
  assert.equal(contents[0].uri, "gasoline://guide");
  assert.match(contents[0].text, /streaming/);
});

test("nothing is pushed before streaming is enabled, but observe shows it", async () => {
  await post("/ci-result", ci_failure({ source: "before-enable" }));
  const [first, ...others] = await observed_alerts();
  assert.deepEqual(others, []);
  assert.match(first.title, /CI failure \(before-enable, main\)/);
  assert.deepEqual(notices, []);
});

test("alerts reach the notification handler and observe alike", async () => {
  await client.setLoggingLevel("debug");
  const enabled = await stream({
    streaming_action: "enable",
    events: ["all"],
    throttle_seconds: 1,
  });
  assert.equal(enabled.status, "enabled");

  await post("/ci-result", ci_failure({ source: "sdk-ci" }));
  await told(/CI failure \(sdk-ci, main\)/);
  assert.equal(notices[0].logger, "gasoline");
  assert.equal(notices[0].level, "error");
  assert.equal(notices[0].data.category, "ci");
  assert.match(notices[0].data.detail, /test_login: Expected 200, got 401/);

  await post("/logs", exception("TypeError: cannot read the cart"));
  await told(/TypeError: cannot read the cart/);

  const titles = (await observed_alerts()).map(({ title }) => title).join("\n");
  assert.match(titles, /CI failure \(sdk-ci, main\)/);
  assert.match(titles, /cannot read the cart/);
  assert.deepEqual(await observed_alerts(), []);
  assert.equal((await stream({ streaming_action: "status" })).notify_count, notices.length);
});

test("a level set by the client filters as well", async () => {
  await client.setLoggingLevel("emergency");
  await post("/logs", exception("Error: below the level"));
  const { suppressed_by } = await stream({ streaming_action: "status" });
  assert.equal(suppressed_by.level, 1);
  await client.setLoggingLevel("info");
});

test("disable stops it", async () => {
  const sent = notices.length;
  assert.equal((await stream({ streaming_action: "disable" })).status, "disabled");
  await post("/logs", exception("ReferenceError: after disable"));
  const titles = (await observed_alerts()).map(({ title }) => title).join("\n");
  assert.match(titles, /ReferenceError: after disable/);
  assert.equal(notices.length, sent);
});

test("an unknown tool is a protocol error, bad arguments are a result", async () => {
  await assert.rejects(client.callTool({ name: "nope", arguments: {} }), { code: -32602 });
  const result = await client.callTool({ name: "observe", arguments: { what: "eror" } });
  assert.equal(result.isError, true);
  assert.match(result.content[0].text, /errors, logs, network_waterfall/);
});

test("closing ends the process within a second, with code 0", async () => {
  const process = transport._process;
  const exited = new Promise((resolve) => process.once("exit", (code) => resolve(code)));
  const started = performance.now();
  await client.close();
  assert.equal(await exited, 0);
  const took = performance.now() - started;
  assert.ok(took < bound(1000), `took ${took} ms`);
  assert.throws(() => globalThis.process.kill(process.pid, 0), { code: "ESRCH" });
  assert.deepEqual(transport_errors, []);
});
