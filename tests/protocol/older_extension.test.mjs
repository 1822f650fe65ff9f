// The older browser extension (0.7 and 0.8, under both of its names), as a stand-in that speaks its wire:
// heartbeats, batches of telemetry, what its popup reads of /health. It works unchanged, and is never
// given a command.
import assert from "node:assert/strict";
import { test } from "node:test";

import { with_daemon } from "./support/daemon.mjs";
import { http_request } from "./support/http.mjs";
import { post_mcp, request_of } from "./support/mcp_http.mjs";

const versions = [
  { version: "0.7.0", client: "Gasoline", session: "session_id" },
  { version: "0.7.8", client: "Gasoline", session: "ext_session_id" },
  { version: "0.8.1", client: "Gasoline", session: "ext_session_id" },
  { version: "0.8.2", client: "Kaboom", session: "ext_session_id" },
];

const ask = async (port, request) => {
  const { status, text: body } = await http_request(port, request);
  return { status, body };
};

// One extension: it calls with its own origin and headers, and aborts a heartbeat after 3 s.
const extension = (port, { version, client, session }) => {
  const headers = {
    origin: "chrome-extension://abcdefghijklmnopabcdefghijklmnop",
    [`x-${client}-client`]: `${client.toLowerCase()}-extension/${version}`,
    [`x-${client}-extension-version`]: version,
  };
  const post = (path, body) => ask(port, { method: "POST", path, headers, body });
  const sync = (more = {}) =>
    post("/sync", {
      [session]: "ext-1",
      extension_version: version,
      settings: {
        pilot_enabled: true,
        tracking_enabled: true,
        tracked_tab_id: 7,
        tracked_tab_url: "http://localhost:3000/",
        tracked_tab_title: "Shop",
        tab_status: "complete",
        capture_logs: true,
        capture_network: true,
        capture_websocket: true,
        capture_actions: true,
      },
      extension_logs: [{ timestamp: "2026-01-01T00:00:00Z", level: "debug", message: "hi", source: "bg" }],
      ...more,
    });
  const health = () => ask(port, { path: "/health", headers });
  return { post, sync, health };
};

const observe = async (port, what) => {
  const call = request_of("tools/call", { name: "observe", arguments: { what } });
  const { response } = await post_mcp(port, call, { "x-gasoline-client": "test" });
  return response.result.content.map(({ text }) => text).join("\n");
};

const telemetry = (mark) => [
  [
    "/logs",
    {
      entries: [
        {
          ts: new Date().toISOString(),
          level: "error",
          type: "exception",
          message: `TypeError: ${mark}`,
          source: "app.js:3",
          url: "http://localhost:3000/",
          stack: "TypeError\n    at pay (http://localhost:3000/app.js:3:5)",
          tabId: 7,
          _enrichments: [],
          _context: {},
          _errorId: "e1",
          _aggregatedCount: 4,
        },
      ],
    },
    "errors",
  ],
  [
    "/network-bodies",
    {
      bodies: [
        {
          url: `http://localhost:3000/api/${mark}`,
          method: "GET",
          status: 500,
          content_type: "application/json",
          response_body: "{}",
          duration: 5,
          tab_id: 7,
        },
      ],
    },
    "network_bodies",
  ],
  [
    "/websocket-events",
    {
      events: [
        {
          ts: new Date().toISOString(),
          type: "websocket",
          event: "open",
          id: "ws-1",
          url: `ws://localhost:3000/${mark}`,
        },
      ],
    },
    "websocket_events",
  ],
  [
    "/enhanced-actions",
    {
      actions: [
        {
          type: "click",
          timestamp: Date.now(),
          url: "http://localhost:3000/",
          selectors: { text: `Pay ${mark}` },
        },
      ],
    },
    "actions",
  ],
  [
    "/performance-snapshots",
    {
      snapshots: [
        {
          url: `/${mark}`,
          timestamp: new Date().toISOString(),
          timing: { load: 900, first_contentful_paint: 300, time_to_first_byte: 20 },
          network: { request_count: 3 },
        },
      ],
    },
    "performance",
  ],
];

for (const kind of versions)
  test(`extension ${kind.version} works unchanged`, async () => {
    await with_daemon(async (_, port) => {
      const { post, sync, health } = extension(port, kind);
      const before = JSON.parse((await health()).body);
      assert.equal(before.status, "ok");
      assert.equal(before.capture.available, true);
      assert.equal(before.capture.extension_connected, false);

      const begun = performance.now();
      const { status, body } = await sync();
      assert.equal(status, 200, body);
      assert.ok(performance.now() - begun < 2000, "the oldest ones give up after 3 s");
      const answer = JSON.parse(body);
      assert.deepEqual(answer.commands, []);
      assert.equal(answer.next_poll_ms, 1000);
      assert.equal(answer.server_version, kind.version, "another one would be shown as a fault");
      assert.ok(!Number.isNaN(Date.parse(answer.server_time)));

      const mark = `mark-${kind.version.replaceAll(".", "-")}`;
      for (const [path, batch, what] of telemetry(mark)) {
        const taken = await post(path, batch);
        assert.equal(taken.status, 200, `${path}: ${taken.body}`);
        assert.match(await observe(port, what), new RegExp(mark), path);
      }

      const after = JSON.parse((await health()).body);
      assert.equal(after.capture.extension_connected, true);
      assert.equal(after.capture.pilot_enabled, true);
      assert.equal(after.version, kind.version);
      assert.ok("logFile" in after.logs && "maxEntries" in after.logs);
    });
  });

test("results of another engine's commands are dropped, bad heartbeats refused, and pages get no answer for extensions", async () => {
  await with_daemon(async (_, port) => {
    const { post, sync } = extension(port, versions[1]);
    const results = [{ id: "q-7", correlation_id: "c-7", status: "complete", result: { success: true } }];
    const { status, body } = await sync({ command_results: results, last_command_ack: "q-7", in_progress: [] });
    assert.equal(status, 200);
    assert.deepEqual(JSON.parse(body).commands, []);
    assert.equal(JSON.parse(body).ack, "q-7");
    assert.equal((await post("/query-result", { id: "q-7", result: {} })).status, 200);
    assert.doesNotMatch(await observe(port, "logs"), /q-7/);

    // Heartbeats that are none.
    const { health } = extension(port, versions[1]);
    for (const bad of ["", "nonsense", "[1]", "null", '"x"']) {
      const { status, body } = await ask(port, {
        method: "POST",
        path: "/sync",
        headers: { origin: "chrome-extension://abcdefghijklmnopabcdefghijklmnop" },
        body: bad,
      });
      assert.equal(status, 400, bad);
      assert.match(body, /heartbeat/);
    }
    for (const odd of [{}, { extension_version: 7, settings: [], last_command_ack: {} }]) {
      const { status, body } = await post("/sync", odd);
      assert.equal(status, 200, body);
    }
    await post("/sync", { extension_version: "9".repeat(5000) });
    assert.ok((await health()).body.length < 1000);

    // A page is no extension.
    const { body: brief } = await ask(port, {
      path: "/health",
      headers: { origin: "http://localhost:3999" },
    });
    assert.equal(JSON.parse(brief).capture, undefined);
  });
});
