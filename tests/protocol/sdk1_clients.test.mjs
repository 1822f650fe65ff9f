// The official SDK of the 1.x generation against the real binary, over each of its transports.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import {
  LoggingMessageNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";

import { client_cases, port_in, stdio_engine } from "./support/client_cases.mjs";
import { start_daemon } from "./support/daemon.mjs";

class peer {
  notices = [];
  updates = [];
  errors = [];

  constructor() {
    this.client = new Client({ name: "sdk 1", version: "1.0.0" });
    this.client.onerror = (error) => this.errors.push(error);
    this.client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) =>
      this.notices.push(params),
    );
    this.client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) =>
      this.updates.push(params.uri),
    );
    for (const name of [
      "listTools",
      "listResources",
      "listResourceTemplates",
      "readResource",
      "listPrompts",
      "getPrompt",
      "complete",
    ])
      this[name] = (...args) => this.client[name](...args);
  }

  call(name, args, options) {
    return this.client.callTool({ name, arguments: args }, undefined, options);
  }

  async watch(uri) {
    await this.client.subscribeResource({ uri });
    return () => this.client.unsubscribeResource({ uri });
  }
}

const over_http = (make) => async () => {
  const engine = start_daemon();
  const address = await engine.address();
  return { transport: make(address), port: await engine.port(), stop: () => engine.stop() };
};

const over_stdio = () => stdio_engine((options) => new StdioClientTransport(options));

for (const [name, start] of [
  ["stdio", over_stdio],
  ["Streamable HTTP", over_http((address) => new StreamableHTTPClientTransport(address))],
  ["HTTP+SSE", over_http((address) => new SSEClientTransport(new URL("/mcp/sse", address)))],
])
  describe(name, () => {
    let engine;
    let client;
    let cases;

    before(async () => {
      engine = await start();
      client = new peer();
      await client.client.connect(engine.transport);
      cases = new client_cases(client, engine.port ?? (await port_in(engine.directory)));
    });
    after(async () => {
      if (engine.transport.terminateSession) await engine.transport.terminateSession();
      await client.client.close();
      await engine.stop();
    });

    test("handshake", async () => {
      assert.equal(client.client.getServerVersion().name, "gasoline");
      const capabilities = client.client.getServerCapabilities();
      for (const capability of ["tools", "resources", "prompts", "completions", "logging"])
        assert.ok(capabilities[capability], capability);
      assert.equal(capabilities.resources.subscribe, true);
      assert.match(client.client.getInstructions(), /observe/);
      await client.client.ping();
      await client.client.setLoggingLevel("debug");
    });
    test("tools", () => cases.tools());
    test("resources", () => cases.resources());
    test("prompts and completion", () => cases.prompts());
    test("subscriptions", () => cases.subscriptions());
    test("a waiting call with progress", () => cases.waiting());
    test("a waiting call that is cancelled", () => cases.cancelled());
    test("alerts are pushed", () => cases.pushed());
    test("nothing has surprised the client", () => {
      assert.deepEqual(client.errors.map(String), []);
    });
  });
