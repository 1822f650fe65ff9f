// Who may do what over HTTP: each route from pages of several origins, from browsers without Origin,
// from a program of another user, with and without the token.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, readFileSync } from "node:fs";
import http from "node:http";
import net from "node:net";
import { join } from "node:path";
import { test } from "node:test";

import { with_daemon } from "./support/daemon.mjs";
import { wait_until } from "./support/deadline.mjs";
import { raw_http } from "./support/http.mjs";
import { pause_process } from "./support/paused_process.mjs";

const routes = {
  load: [["GET", "/gasoline.js"]],
  send: [
    ["GET", "/"],
    ["GET", "/health"],
    ["GET", "/link/nonsense"],
    ["POST", "/logs", { entries: [{ level: "info", message: "hello" }] }],
    ["POST", "/network-bodies", { bodies: [] }],
    ["POST", "/network-waterfall", { entries: [] }],
    ["POST", "/websocket-events", { events: [] }],
    ["POST", "/enhanced-actions", { actions: [] }],
    ["POST", "/performance-snapshots", { snapshots: [] }],
    ["POST", "/ci-result", { status: "success", source: "test", ref: "main", commit: "c1" }],
    ["POST", "/api/1/envelope/", {}],
    ["POST", "/api/1/envelope", {}],
    ["POST", "/stream", {}],
    ["POST", "/api/1/store/", { message: "hello", level: "info" }],
    ["POST", "/api/1/store", { message: "hello", level: "info" }],
    ["POST", "/api/store/", { message: "hello", level: "info" }],
    ["POST", "/reports", []],
    ["POST", "/api/1/security/", []],
    ["POST", "/api/1/security", []],
    ["POST", "/api/1/csp-report/", []],
    ["POST", "/v1/logs", {}],
    ["POST", "/v1/traces", {}],
    ["POST", "/v1/metrics", {}],
    ["POST", "/ci/github", {}],
    ["POST", "/ci/gitlab", {}],
    ["POST", "/ci/jenkins", {}],
    ["POST", "/ci/circleci", {}],
    ["POST", "/ci/buildkite", {}],
    ["POST", "/sync", {}],
    ["POST", "/query-result", {}],
  ],
  use: [
    ["POST", "/mcp", { jsonrpc: "2.0", id: 1, method: "initialize", params: {} }],
    ["GET", "/mcp"],
    ["DELETE", "/mcp"],
    ["GET", "/mcp/sse"],
    ["POST", "/mcp/messages/1", { jsonrpc: "2.0", id: 1, method: "ping" }],
    ["POST", "/links", {}],
    ["GET", "/streams"],
    ["GET", "/streams/nothing"],
    ["POST", "/streams", { name: "made" }],
    ["GET", "/streams/$alerts/events"],
    ["POST", "/streams/made/events", { data: 1 }],
    ["DELETE", "/streams/nothing"],
    ["GET", "/sessions"],
    ["POST", "/sessions", { workspace_path: "/tmp", provider: "scripted" }],
    ["GET", "/sessions/sess_1/messages"],
    ["GET", "/sessions/sess_1"],
    ["POST", "/sessions/sess_1/turns", { content: "hi" }],
    ["POST", "/sessions/sess_1/events", { events: [] }],
    ["GET", "/sessions/sess_1/events?token=wrong"],
    ["POST", "/sessions/sess_1/messages/msg_1/feedback", { kind: "thumbs_up" }],
    ["POST", "/sessions/sess_1/turns/turn_1/cancel", { reason: "enough" }],
    ["POST", "/sessions/sess_1/permissions/perm_1", { decision: "deny" }],
    ["DELETE", "/sessions/sess_1"],
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
  ["browser that says something new", { "sec-fetch-site": "next-site" }, "load"],
  ["browser of two minds", { "sec-fetch-site": "none, cross-site" }, "load"],
  ["address bar", { "sec-fetch-site": "none" }, "use"],
  ["page of the engine's own, without a link", { "sec-fetch-site": "same-origin" }, "send"],
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

// What an engine does at its start is over once it has taken telemetry.
const settled = async (engine) => {
  assert.equal((await engine.post("/logs", { entries: [{ level: "info", message: "hello" }] })).status, 200);
};

const token_of = (engine) => readFileSync(join(engine.state_dir, "token"), "utf8").trim();

// Whether a row of the engine's route table covers the path: {name} stands for one part of it, a row
// that ends in /* for all below.
const covers = (row, path) =>
  new RegExp(`^${row.replace(/\{\w+\}/g, "[^/]+").replace(/\*$/, ".*")}$`).test(path.replace(/\?.*/, ""));

test("the tests of this file know every route that there is", async () => {
  await with_daemon(async (engine) => {
    await settled(engine);
    const { error } = JSON.parse((await engine.http({ path: "/nowhere" })).text);
    const rows = error.match(/[A-Z]+ \/[^ ,]*/g).map((row) => row.replace(/\.$/, "").split(" "));
    assert.ok(rows.length > 15, error);
    // A session's stream is a WebSocket, which the next test opens.
    const tried = [...Object.values(routes).flat(), ["GET", "/sessions/sess_1/stream"]];
    for (const [method, row] of rows)
      assert.ok(
        tried.some((route) => route[0] === method && covers(row, route[1])),
        `no row of this test tries ${method} ${row}`,
      );
  });
});

const upgrade = {
  connection: "Upgrade",
  upgrade: "websocket",
  "sec-websocket-version": "13",
  "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
};

test("a WebSocket is opened to those only who may use the engine", async () => {
  const args = ["--allowed-origin", "http://myapp.test:*", "--trusted-origin", "dash.test"];
  await with_daemon(
    async (engine, port) => {
      await settled(engine);
      const stream = ["GET", "/sessions/sess_1/stream?attach=att_1"];
      for (const [who, headers, most] of callers) {
        const status = await status_of(port, stream, { ...upgrade, ...headers });
        if (most === "use") assert.equal(status, 404, `${who}: there is no such session`);
        else assert.equal(status, 403, who);
      }
    },
    { args },
  );
});

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

const page_of_3999 = "Origin: http://localhost:3999\r\n";
const upgrading = Object.entries(upgrade).map(([name, value]) => `${name}: ${value}\r\n`).join("");

// Ways to write a request so that it might be taken for another one, or its caller for somebody else.
const disguises = (token) => [
  ...[
    "/streams/",
    "//streams",
    "/%73treams",
    "/./streams",
    "/streams;x",
    "/streams#x",
    "/streams?a=/health",
    "/gasoline.js/../streams",
    "/gasoline.js/%2e%2e/streams",
    "http://localhost/streams",
    "HTTP://127.0.0.1/streams",
    `/streams?token=${token}`,
    `/streams?key=${token}`,
  ].map((target) => ["GET", target, page_of_3999]),
  ["HEAD", "/streams", page_of_3999],
  ["get", "/streams", page_of_3999],
  ["POST", "/logs", `${page_of_3999}X-HTTP-Method-Override: GET\r\nX-Original-URL: /streams\r\nX-Rewrite-URL: /streams\r\nContent-Length: 0\r\n`],
  ...[
    "X-Forwarded-For: 127.0.0.1\r\nForwarded: for=127.0.0.1;host=localhost\r\n",
    `Authorization: Basic ${token}\r\n`,
    `Authorization: ${token}\r\n`,
    `Authorization: Bearer x\r\nAuthorization: Bearer ${token}\r\n`,
    "Authorization: Bearer \r\n",
    `Cookie: token=${token}\r\n`,
    `Cookie: gasoline_page=${token}\r\n`,
    "Cookie: gasoline_page=\r\n",
    `Sec-WebSocket-Protocol: ${token}\r\n${upgrading}`,
    "Origin: http://dash.test\r\n",
  ].map((headers) => ["GET", "/streams", page_of_3999 + headers]),
  ...[
    "http://dash.test, http://localhost:3000",
    "http://dash.test http://evil.test",
    "http://dash.test\r\n .evil.test",
    "http://dash.test/",
    "http://dash.test.",
    "http://x.dash.test",
    "http://dash.test:8080",
    "https://dash.test",
    "http://dash.test@evil.test",
    "http://evil.test#http://dash.test",
    "http://localhost.evil.test",
    "http://127.0.0.1.nip.test",
    "http://[::ffff:127.0.0.1]",
    "http://127.1",
    "http://0x7f000001",
    "http://localhost:3000:80",
    "http://localhost:",
    "http://localhost\\@evil.test",
    "file://",
    "chrome-extension://a.b",
    "",
  ].map((origin) => ["GET", "/streams", `Origin: ${origin}\r\n`]),
  ...["Cross-Site", "same-site", "none, cross-site", "none\r\nSec-Fetch-Site: cross-site", "x"].map(
    (site) => ["GET", "/streams", `Sec-Fetch-Site: ${site}\r\n`],
  ),
  ["GET", "/streams", "Sec-Fetch-Site: same-origin\r\n"],
];

test("no spelling of a request makes more of its caller", async () => {
  await with_daemon(
    async (engine, port) => {
      await settled(engine);
      const made = await engine.post("/streams", { name: "unseen" });
      assert.equal(made.status, 201);
      for (const [method, target, headers] of disguises(token_of(engine))) {
        const head = `${method} ${target} HTTP/1.1\r\nHost: localhost\r\n${headers}Connection: close\r\n\r\n`;
        const { status, text } = await raw_http(port, head);
        assert.ok(status >= 400 && status < 500, `${head}${status}`);
        assert.ok(!text.includes("unseen"), `${head}${text}`);
      }
      const own = await raw_http(port, "GET /streams HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
      assert.ok(own.text.includes("unseen"), "a program of the user sees it");
    },
    { args: ["--trusted-origin", "http://dash.test"] },
  );
});

test("the engine's own page may everything once it was opened by a link, which works once", async () => {
  await with_daemon(async (engine, port) => {
    await settled(engine);
    const asked = await engine.http({ method: "POST", path: "/links" });
    assert.equal(asked.status, 401, "a program without the token gets no link");
    const opened = spawnSync(process.env.GASOLINE_BIN, ["open", "--state-dir", engine.state_dir], {
      encoding: "utf8",
    });
    assert.equal(opened.status, 0, opened.stderr);
    const link = new URL(opened.stdout.trim());
    assert.equal(Number(link.port), port);
    const follow = () => engine.http({ path: link.pathname, headers: { "sec-fetch-site": "none" } });
    const first = await follow();
    assert.equal(first.status, 303);
    assert.equal(first.headers.location, "/");
    const [line] = [first.headers["set-cookie"]].flat();
    assert.match(line, /^gasoline_page=[0-9a-f]{64}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/);
    assert.equal((await follow()).status, 404);

    const cookie = line.split(";")[0];
    const own = `http://127.0.0.1:${port}`;
    const from_page = { host: `127.0.0.1:${port}`, cookie, "sec-fetch-site": "same-origin" };
    for (const route of Object.values(routes).flat())
      for (const headers of [from_page, { ...from_page, origin: own }])
        assert.ok(![401, 403].includes(await status_of(port, route, headers)), `${route[0]} ${route[1]}`);
    // The browser sends the cookie to other ports of this machine, whose pages have it too, then.
    for (const headers of [
      { ...from_page, origin: "http://127.0.0.1:3999" },
      { ...from_page, origin: own, "sec-fetch-site": "same-site" },
      { ...from_page, "sec-fetch-site": "same-site" },
      { ...from_page, cookie: `${cookie}0` },
    ])
      assert.equal(await status_of(port, ["GET", "/sessions"], headers), 403, JSON.stringify(headers));

    const page = await engine.http({ path: "/", headers: { accept: "text/html", "sec-fetch-site": "none" } });
    assert.match(page.headers["content-type"], /^text\/html/);
    assert.match(page.headers["content-security-policy"], /default-src 'none'.*frame-ancestors 'none'/);
  });
});

test("a page that may only send learns that an engine is here, and no more", async () => {
  await with_daemon(async (engine) => {
    await settled(engine);
    const page = await engine.http({ path: "/health", headers: { origin: "http://localhost:3999" } });
    assert.deepEqual(JSON.parse(page.text), { status: "ok", "service-name": "gasoline" });
    const program = JSON.parse((await engine.http({ path: "/health" })).text);
    assert.ok(program.pid > 0);
  });
});

const nobody = { uid: 65534, gid: 65534, encoding: "utf8", cwd: "/" };
const root_only = {
  skip: process.getuid() === 0 ? false : "needs root to become another user",
};

test("another user of the machine is refused on every route, unless it shows the token", root_only, async () => {
  await with_daemon(async (engine, port) => {
    await settled(engine);
    const token = token_of(engine);
    const ask = ([method, path, body], ...more) => {
      const args = ["-s", "-m", "2", "-o", "/dev/null", "-w", "%{http_code}", "-X", method, ...more];
      const json = ["-H", "content-type: application/json", "-d", JSON.stringify(body)];
      const url = `http://127.0.0.1:${port}${path}`;
      return Number(spawnSync("curl", [...args, ...(body ? json : []), url], nobody).stdout);
    };
    const all = Object.values(routes).flat();
    for (const route of all) assert.equal(ask(route), 403, `${route[0]} ${route[1]}`);
    for (const route of all) {
      const status = ask(route, "-H", `Authorization: Bearer ${token}`);
      assert.ok(status !== 403 && status !== 0, `${route[0]} ${route[1]} with the token: ${status}`);
    }
    const as_flags = Object.entries(upgrade).flatMap(([name, value]) => ["-H", `${name}: ${value}`]);
    assert.equal(ask(["GET", "/sessions/sess_1/stream?attach=att_1"], ...as_flags), 403);
    assert.equal(ask(["OPTIONS", "/logs"]), 403);
    assert.equal(ask(["OPTIONS", "/logs"], "-H", "Origin: http://localhost:3000"), 403);
    const { http: counted } = JSON.parse((await engine.http({ path: "/health" })).text);
    assert.equal(counted.refused.other_users, all.length + 3);
  });
});

test("the attach socket is closed to other users, even when its mode is not", root_only, async () => {
  await with_daemon(async (engine) => {
    await settled(engine);
    const socket = join(engine.state_dir, "engine.sock");
    const knock = `
      const socket = require("net").connect(process.argv[1], () => {
        socket.write('{"gasoline":1,"protocol":1,"role":"observer","pid":1,"cwd":"/"}\\n');
      });
      socket.on("data", (bytes) => process.stdout.write(bytes));
      socket.on("error", (problem) => process.stdout.write(problem.code));
      socket.on("close", () => process.exit(0));`;
    const heard = () =>
      spawnSync("/usr/bin/env", ["node", "-e", knock, socket], { ...nobody, timeout: 10_000 }).stdout;
    assert.equal(heard(), "EACCES");
    chmodSync(engine.state_dir, 0o755);
    chmodSync(socket, 0o666);
    assert.match(heard(), /^(EPIPE|ECONNRESET)?$/);
    const health = JSON.parse((await engine.http({ path: "/health" })).text);
    assert.equal(health.attach.refused, 1);
  });
});

test("refusals are counted by kind, and origins by name", async () => {
  await with_daemon(async (engine) => {
    await settled(engine);
    const ask = (headers, path = "/streams") => engine.http({ path, headers });
    for (let i = 0; i < 3; ++i) await ask({ origin: "http://evil.test" });
    for (let i = 0; i < 40; ++i) await ask({ origin: `http://evil-${i}.test` });
    await ask({ origin: "http://localhost:3999" });
    await ask({ "sec-fetch-site": "cross-site" });
    const { http: counted } = JSON.parse((await ask({}, "/health")).text);
    assert.equal(counted.refused.foreign_origins, 43);
    assert.equal(counted.refused.pages_without_right, 1);
    assert.equal(counted.refused.other_sites, 1);
    assert.equal(counted.refused.other_users, 0);
    assert.equal(counted.refused.unknown_users, 0);
    assert.equal(counted.refused_origins["http://evil.test"], 3);
    assert.equal(Object.keys(counted.refused_origins).length, 32);
    assert.equal(counted.refused.unnamed_origins, 10);
  });
});

const ask_and_leave = (port, bytes) =>
  new Promise((resolve, reject) => {
    const socket = net.connect(port, "127.0.0.1", () => socket.write(bytes, () => socket.destroy()));
    socket.on("error", reject);
    socket.on("close", resolve);
  });

// The kernel names nobody for a socket that was closed.
test("a program that is gone before it is looked at is no other user's", async () => {
  await with_daemon(async (engine, port) => {
    await settled(engine);
    const health = async () => JSON.parse((await engine.http({ path: "/health" })).text).http;
    await pause_process(engine.pid);
    for (let i = 0; i < 5; ++i)
      await ask_and_leave(port, "GET /streams HTTP/1.1\r\nHost: localhost\r\n\r\n");
    process.kill(engine.pid, "SIGCONT");
    await wait_until(
      async () => (await health()).refused.unknown_users === 5,
      () => "callers that have gone were not counted",
    );
    assert.equal((await health()).refused.other_users, 0);
  });
});
