// SIGTERM with clients on every kind of HTTP connection: their streams end in good order, at once.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

import { start_daemon } from "./support/daemon.mjs";
import { open_stream } from "./support/event_stream.mjs";
import { http_session, open_modern, request_of } from "./support/mcp_http.mjs";

// The process ends by force after 1.5 s; an orderly end takes no time.
const orderly_ms = 1000;

const wait_for_alerts = { name: "observe", arguments: { what: "alerts", wait_seconds: 40 } };

const kinds = {
  "a session": async (port) => {
    await http_session.open(port);
    return [];
  },
  "a session with a stream": async (port) => [await (await http_session.open(port)).listen()],
  "a waiting call": async (port) => {
    const session = await http_session.open(port);
    return [await session.open(request_of("tools/call", wait_for_alerts))];
  },
  "a waiting call of 2026-07-28": async (port) => [
    await open_modern(port, "tools/call", wait_for_alerts),
  ],
  "HTTP+SSE": async (port) => [await open_stream(port, { path: "/mcp/sse" })],
};

for (const [name, open] of Object.entries(kinds))
  test(`SIGTERM with ${name}`, async () => {
    const engine = start_daemon();
    const streams = await open(await engine.port());
    const begin = performance.now();
    engine.child.kill("SIGTERM");
    await Promise.all(streams.map((stream) => stream.ended()));
    assert.deepEqual(await engine.end(), { code: 0, signal: null });
    assert.ok(performance.now() - begin < orderly_ms, `took ${performance.now() - begin} ms`);
    assert.ok(!existsSync(path.join(engine.state_dir, "port")), "the port file is gone");
    await engine.stop();
  });
