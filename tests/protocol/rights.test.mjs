// Who may do what over HTTP: each route from pages of several origins, from browsers without Origin,
// from a program of another user, with and without the token.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import http from "node:http";
import { join } from "node:path";
import { test } from "node:test";

import { with_daemon } from "./support/daemon.mjs";

const routes = {
  load: [["GET", "/gasoline.js"]],
  send: [
    ["GET", "/"],
    ["GET", "/health"],
    ["POST", "/logs", { entries: [{ level: "info", message: "hello" }] }],
    ["POST", "/ci-result", { status: "success", source: "test", ref: "main", commit: "c1" }],
  ],
  use: [
    ["POST", "/mcp", { jsonrpc: "2.0", id: 1, method: "initialize", params: {} }],
    ["GET", "/mcp/sse"],
    ["GET", "/streams"],
    ["POST", "/streams", { name: "made" }],
    ["GET", "/streams/$alerts/events"],
    ["DELETE", "/streams/nothing"],
    ["GET", "/sessions"],
    ["POST", "/sessions", { workspace_path: "/tmp", provider: "scripted" }],
    ["GET", "/sessions/sess_1/messages"],
    ["POST", "/sessions/sess_1/turns", { content: "hi" }],
  ],
};
const rank = { none: 0, load: 1, send: 2, use: 3 };

const callers = [
  ["page of this machine", { origin: "http://localhost:3999" }, "send"],
  ["page below localhost", { origin: "http://app.localhost:3000" }, "send"],
  ["extension", { origin: "chrome-extension://abcdefghijklmnopabcdefghijklmnop" }, "send"],
  ["allowed origin", { origin: "http://myapp.test:3000" }, "send"],
  ["trusted origin", { origin: "http://dash.test" }, "use"],
  ["foreign page", { origin: "http://evil.test" }, "none"],
  ["sandboxed page", { origin: "null" }, "none"],
  ["frame in a foreign page", { "sec-fetch-site": "cross-site" }, "load"],
  ["frame in a page of another port", { "sec-fetch-site": "same-site" }, "load"],
  ["address bar", { "sec-fetch-site": "none" }, "use"],
  ["program", {}, "use"],
];

// The status alone: some of these answers never end.
const status_of = (port, [method, path, body], headers) =>
  new Promise((resolve, reject) => {
    const more = body ? { "content-type": "application/json" } : {};
    const accept = "application/json, text/event-stream";
    const request = http.request(
      { host: "127.0.0.1", port, method, path, agent: false, headers: { accept, ...more, ...headers } },
      (response) => {
        resolve(response.statusCode);
        response.destroy();
      },
    );
    request.on("error", reject);
    request.end(body && JSON.stringify(body));
  });

const token_of = (engine) => readFileSync(join(engine.state_dir, "token"), "utf8").trim();

test("every route from every caller", async () => {
  const args = ["--allowed-origin", "http://myapp.test:*", "--trusted-origin", "dash.test"];
  await with_daemon(
    async (engine, port) => {
      for (const [who, headers, most] of callers)
        for (const right of ["load", "send", "use"])
          for (const route of routes[right]) {
            const status = await status_of(port, route, headers);
            const where = `${who}: ${route[0]} ${route[1]} -> ${status}`;
            if (rank[right] <= rank[most]) assert.notEqual(status, 403, where);
            else assert.equal(status, 403, where);
          }
      const origin = "http://localhost:3999";
      const shown = { origin, authorization: `Bearer ${token_of(engine)}` };
      for (const route of routes.use) {
        assert.notEqual(await status_of(port, route, shown), 403, `with the token: ${route[1]}`);
        const wrong = await status_of(port, route, { origin, authorization: "Bearer x" });
        assert.equal(wrong, 403, `with a wrong token: ${route[1]}`);
      }
    },
    { args },
  );
});

test("a page that may only send learns that an engine is here, and no more", async () => {
  await with_daemon(async (engine) => {
    const page = await engine.http({ path: "/health", headers: { origin: "http://localhost:3999" } });
    assert.deepEqual(JSON.parse(page.text), { status: "ok", "service-name": "gasoline" });
    const program = JSON.parse((await engine.http({ path: "/health" })).text);
    assert.ok(program.pid > 0);
  });
});

test(
  "another user of the machine is refused, unless it shows the token",
  { skip: process.getuid() === 0 ? false : "needs root to become another user" },
  async () => {
    await with_daemon(async (engine, port) => {
      const token = token_of(engine);
      const ask = (path, ...more) => {
        const args = ["-s", "-o", "/dev/null", "-w", "%{http_code}", ...more];
        const call = spawnSync("curl", [...args, `http://127.0.0.1:${port}${path}`], {
          uid: 65534,
          gid: 65534,
          encoding: "utf8",
        });
        return Number(call.stdout);
      };
      for (const path of ["/", "/health", "/gasoline.js", "/streams", "/sessions"]) {
        assert.equal(ask(path), 403, path);
        assert.equal(ask(path, "-H", `Authorization: Bearer ${token}`), 200, path);
      }
      const post = ["-H", "content-type: application/json", "-d", '{"entries":[]}'];
      assert.equal(ask("/logs", ...post), 403);
    });
  },
);
