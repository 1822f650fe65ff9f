// The official client of the 2.x generation against the real binary: legacy, negotiating and pinned,
// over stdio and HTTP.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

import { client_cases, port_in, stdio_engine } from "./support/client_cases.mjs";
import { start_daemon } from "./support/daemon.mjs";

const modern = "2026-07-28";
const newest_legacy = "2025-11-25";

class peer {
  notices = [];
  updates = [];
  errors = [];

  constructor(mode) {
    this.client = new Client({ name: "sdk 2", version: "1.0.0" }, { versionNegotiation: { mode } });
    this.client.onerror = (error) => this.errors.push(error);
    this.client.setNotificationHandler("notifications/message", ({ params }) => {
      this.notices.push(params);
    });
    this.client.setNotificationHandler("notifications/resources/updated", ({ params }) => {
      this.updates.push(params.uri);
    });
    for (const name of [
      "listTools",
      "listResources",
      "listResourceTemplates",
      "listPrompts",
      "getPrompt",
      "complete",
    ])
      this[name] = (...args) => this.client[name](...args);
  }

  get is_modern() {
    return this.client.getNegotiatedProtocolVersion() === modern;
  }

  call(name, args, options) {
    return this.client.callTool({ name, arguments: args }, options);
  }

  // Its cache would hide what changed meanwhile.
  readResource(params) {
    return this.client.readResource(params, { cacheMode: "bypass" });
  }

  async watch(uri) {
    if (!this.is_modern) {
      await this.client.subscribeResource({ uri });
      return () => this.client.unsubscribeResource({ uri });
    }
    const subscription = await this.client.listen({ resourceSubscriptions: [uri] });
    assert.deepEqual(subscription.honoredFilter.resourceSubscriptions, [uri]);
    return async () => {
      await subscription.close();
      assert.equal(await subscription.closed, "local");
    };
  }
}

const over_http = async () => {
  const engine = start_daemon();
  const transport = new StreamableHTTPClientTransport(await engine.address());
  return { transport, port: await engine.port(), stop: () => engine.stop() };
};

const over_stdio = () => stdio_engine((options) => new StdioClientTransport(options));

for (const [transport, start] of [
  ["stdio", over_stdio],
  ["HTTP", over_http],
])
  for (const [name, mode, version] of [
    ["legacy", "legacy", newest_legacy],
    ["auto", "auto", modern],
    ["pinned", { pin: modern }, modern],
  ])
    describe(`${name} over ${transport}`, () => {
      let engine;
      let client;
      let cases;

      before(async () => {
        engine = await start();
        client = new peer(mode);
        await client.client.connect(engine.transport);
        cases = new client_cases(client, engine.port ?? (await port_in(engine.directory)));
      });
      after(async () => {
        await client.client.close();
        await engine.stop();
      });

      test("negotiation", async () => {
        assert.equal(client.client.getNegotiatedProtocolVersion(), version);
        assert.equal(client.client.getServerVersion().name, "gasoline");
        const capabilities = client.client.getServerCapabilities();
        for (const capability of ["tools", "resources", "prompts", "completions"])
          assert.ok(capabilities[capability], capability);
        assert.match(client.client.getInstructions(), /observe/);
        if (version === modern)
          assert.deepEqual((await client.client.discover()).supportedVersions, [modern]);
      });
      test("tools", () => cases.tools());
      test("resources", () => cases.resources());
      test("prompts and completion", () => cases.prompts());
      test("subscriptions", () => cases.subscriptions());
      test("a waiting call with progress", () => cases.waiting());
      test("a waiting call that is cancelled", () => cases.cancelled());
      if (version === newest_legacy) test("alerts are pushed", () => cases.pushed());
      test("nothing has surprised the client", () => {
        assert.deepEqual(client.errors.map(String), []);
      });
    });
