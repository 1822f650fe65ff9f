// What the HTTP door lets in: hosts, origins, preflight, methods, paths and types, on every route.
import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";

import { with_engine } from "./support/engine.mjs";
import { raw_http } from "./support/http.mjs";
import { assert_sentence, routes } from "./support/ingest_routes.mjs";
import { accept_both, initialize_of, post_mcp } from "./support/mcp_http.mjs";
import { console_entry } from "./support/samples.mjs";

const get_routes = ["/health", "/gasoline.js", "/"];

// Those of MCP, which are answered in ways of their own.
const mcp_calls = [
  { method: "POST", path: "/mcp", body: initialize_of() },
  { method: "GET", path: "/mcp" },
  { method: "DELETE", path: "/mcp" },
  { method: "OPTIONS", path: "/mcp" },
  { method: "GET", path: "/mcp/sse" },
  { method: "POST", path: "/mcp/messages/00000000-0000-4000-8000-000000000000", body: {} },
  {
    method: "GET",
    path: "/mcp",
    upgrade: {
      connection: "Upgrade",
      upgrade: "websocket",
      "sec-websocket-version": "13",
      "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
    },
  },
];

const refused_hosts = [
  "evil.test",
  "evil.test:80",
  "localhost.evil.test",
  "127.0.0.1.evil.test",
  "0.0.0.0",
  "127.0.0.2",
  "[::2]",
  "localhost@evil.test",
  "localhost:",
  "localhost:abc",
];

const passing_hosts = [
  "localhost",
  "localhost:1234",
  "127.0.0.1",
  "[::1]",
  "[::1]:7890",
  "LOCALHOST",
];

const refused_origins = [
  "http://evil.test",
  "https://evil.test:443",
  "null",
  "http://localhost.evil.test",
  "http://127.0.0.1.evil.test",
  "http://evil.test/localhost",
  "file://",
  "",
  "localhost",
  "chrome-extension://",
  "chrome-extension://evil.test/",
  "http://localhost:1234@evil.test",
];
const passing_origins = [
  "http://localhost",
  "http://localhost:5173",
  "https://127.0.0.1:8443",
  "http://[::1]:3000",
  "chrome-extension://abcdefghijklmnopabcdefghijklmnop",
  "moz-extension://2c127fa4-62c7-7e4f-90e5-472b45eecfdc",
  "safari-web-extension://0D9C0E2A-1111-4111-8111-111111111111",
];

const calls = [
  ...routes.map(([path, body]) => ({ method: "POST", path, body })),
  ...get_routes.map((path) => ({ method: "GET", path })),
  { method: "OPTIONS", path: "/logs" },
  { method: "GET", path: "/nowhere" },
  { method: "DELETE", path: "/logs" },
  ...mcp_calls,
];

test("foreign hosts and origins are 403 on every route, before anything is stored", async () => {
  await with_engine(async (engine) => {
    for (const call of calls) {
      for (const host of refused_hosts)
        assert.equal(
          (await engine.http({ ...call, headers: headers_of(call, { host }) })).status,
          403,
          `${call.method} ${call.path} Host: ${host}`,
        );
      for (const origin of refused_origins) {
        const answer = await engine.http({ ...call, headers: headers_of(call, { origin }) });
        assert.equal(answer.status, 403, `${call.method} ${call.path} Origin: ${origin}`);
        assert.equal(answer.headers["access-control-allow-origin"], undefined);
      }
    }
    assert.equal((await engine.health()).clients.length, 1, "no session was opened");
    assert.equal((await engine.observe({ what: "timeline", include_noise: true })).total, 0);
    assert.equal((await engine.observe({ what: "ci" })).count, 0);
    assert.equal((await engine.observe({ what: "alerts" })).count, 0);
  });
});

test("no Host, an empty one, two of them, and a foreign absolute target are refused", async () => {
  await with_engine(async (engine) => {
    const port = await engine.port();
    const body = JSON.stringify({ entries: [console_entry("stowaway")] });
    const rest = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`;
    for (const head of [
      "POST /logs HTTP/1.1\r\n",
      "POST /logs HTTP/1.1\r\nHost:\r\n",
      "POST /logs HTTP/1.1\r\nHost: localhost\r\nHost: evil.test\r\n",
      "POST http://evil.test/logs HTTP/1.1\r\nHost: localhost\r\n",
      "POST /logs HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nOrigin: http://evil.test\r\n",
    ])
      assert.match(String((await raw_http(port, head + rest)).status), /^40[03]$/, head);
    assert.equal((await engine.observe({ what: "logs" })).total, 0);
    const good = await raw_http(port, "POST /logs HTTP/1.1\r\nHost: localhost\r\n" + rest);
    assert.equal(good.status, 200);
  });
});

test("local hosts and origins and extensions pass, and are echoed exactly", async () => {
  await with_engine(async (engine) => {
    for (const call of calls.slice(0, routes.length + get_routes.length)) {
      for (const host of passing_hosts)
        assert.equal(
          (await engine.http({ ...call, headers: headers_of(call, { host }) })).status,
          200,
          `${call.path} Host: ${host}`,
        );
      for (const origin of passing_origins) {
        const answer = await engine.http({ ...call, headers: headers_of(call, { origin }) });
        assert.equal(answer.status, 200, `${call.path} Origin: ${origin}`);
        assert.equal(answer.headers["access-control-allow-origin"], origin);
        assert.match(answer.headers.vary, /Origin/i);
      }
      const without = await engine.http(call);
      assert.equal(without.status, 200);
      assert.equal(without.headers["access-control-allow-origin"], undefined);
    }
  });
});

const headers_of = ({ body, upgrade }, more) => ({
  ...upgrade,
  ...(body === undefined ? {} : { "content-type": "application/json" }),
  ...more,
});

test("trusted origins open MCP sessions, and browsers may read their ids", async () => {
  const args = passing_origins.flatMap((origin) => ["--trusted-origin", origin]);
  await with_engine(async (engine) => {
    const port = await engine.port();
    for (const host of passing_hosts)
      assert.equal((await post_mcp(port, initialize_of(), { host })).status, 200, host);
    for (const origin of passing_origins) {
      const { status, headers } = await post_mcp(port, initialize_of(), { origin });
      assert.equal(status, 200, origin);
      assert.equal(headers["access-control-allow-origin"], origin);
      assert.match(headers["access-control-expose-headers"], /mcp-session-id/i);
      const asked = await engine.http({
        method: "OPTIONS",
        path: "/mcp",
        headers: {
          origin,
          accept: accept_both,
          "access-control-request-method": "POST",
          "access-control-request-headers": "content-type, mcp-session-id, mcp-protocol-version",
        },
      });
      assert.equal(asked.status, 204);
      for (const method of ["GET", "POST", "DELETE"])
        assert.ok(asked.headers["access-control-allow-methods"].includes(method), method);
      for (const name of [
        "mcp-session-id",
        "mcp-protocol-version",
        "last-event-id",
        "mcp-method",
        "mcp-name",
        "authorization",
      ])
        assert.ok(asked.headers["access-control-allow-headers"].toLowerCase().includes(name), name);
    }
  }, { args });
});

test("preflight, with private network access", async () => {
  await with_engine(async (engine) => {
    const origin = "chrome-extension://abcdefghijklmnopabcdefghijklmnop";
    for (const [path] of routes) {
      const asked = {
        origin,
        "access-control-request-method": "POST",
        "access-control-request-headers": "content-type, x-gasoline-client",
      };
      const plain = await engine.http({ method: "OPTIONS", path, headers: asked });
      assert.equal(plain.status, 204);
      assert.equal(plain.text, "");
      assert.equal(plain.headers["access-control-allow-origin"], origin);
      assert.match(plain.headers["access-control-allow-methods"], /POST/);
      assert.match(plain.headers["access-control-allow-headers"], /content-type/i);
      assert.match(plain.headers["access-control-allow-headers"], /x-gasoline-client/i);
      assert.equal(plain.headers["access-control-allow-private-network"], undefined);
      assert.equal(plain.headers["access-control-allow-credentials"], undefined);
      const private_network = await engine.http({
        method: "OPTIONS",
        path,
        headers: { ...asked, "access-control-request-private-network": "true" },
      });
      assert.equal(private_network.headers["access-control-allow-private-network"], "true");
    }
  });
});
test("unknown paths are 404, wrong methods 405 with Allow, wrong types 415", async () => {
  await with_engine(async (engine) => {
    for (const path of [
      "/nope",
      "/logs/",
      "/Logs",
      "/logs/../health",
      "/%2e%2e/health",
      "/logs%00",
    ])
      assert_sentence(await engine.http({ method: "POST", path, body: {} }), 404);
    for (const [path] of routes)
      for (const method of ["GET", "PUT", "DELETE", "PATCH"]) {
        const answer = await engine.http({ method, path });
        assert_sentence(answer, 405);
        assert.match(answer.headers.allow, /POST/);
      }
    for (const path of get_routes)
      assert.match((await engine.http({ method: "POST", path })).headers.allow, /GET/);
    for (const [path, body] of routes)
      for (const type of [
        "application/x-www-form-urlencoded",
        "text/html",
        "multipart/form-data",
        "application/xml",
      ]) {
        const answer = await engine.post(path, body, { "content-type": type });
        assert_sentence(answer, 415);
        assert.match(answer.json.error, /application\/json/);
      }
  });
});

test("health, page script and front page", async () => {
  await with_engine(async (engine) => {
    const health = await engine.http({ path: "/health" });
    assert.equal(health.status, 200);
    assert.match(health.headers["content-type"], /application\/json/);
    assert.equal(health.json.status, "ok");
    assert.equal(health.json.pid, engine.pid);
    assert.equal(health.json.clients[0].name, "protocol tests");
    const script = await engine.http({ path: "/gasoline.js" });
    assert.equal(script.status, 200);
    assert.match(script.headers["content-type"], /javascript/);
    assert.ok(script.text.length > 2000 && gzipSync(script.text).length <= 12_288);
    const cached = await engine.http({
      path: "/gasoline.js",
      headers: { "if-none-match": script.headers.etag },
    });
    assert.equal(cached.status, 304);
    const head = await engine.http({ method: "HEAD", path: "/gasoline.js" });
    assert.deepEqual([head.status, head.text], [200, ""]);
    assert.equal(head.headers["content-length"], String(Buffer.byteLength(script.text)));
  });
});

test("headers above 16 KB are 431", async () => {
  await with_engine(async (engine) => {
    const answer = await engine.http({
      path: "/health",
      headers: { "x-long": "a".repeat(20_000) },
    });
    assert_sentence(answer, 431);
    await engine.assert_alive();
  });
});
