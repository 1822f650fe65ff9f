// The bearer token: where it comes from and what asks for it.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

import { patience_ms, wait_until, within } from "./support/deadline.mjs";
import { binary, clean_environment, temporary_directory, with_engine } from "./support/engine.mjs";
import { accept_both, initialize_of } from "./support/mcp_http.mjs";
import { ci_failure, exception } from "./support/samples.mjs";
import { initialized, with_shared_state } from "./support/shared_engine.mjs";

const token_of = (state_dir) =>
  wait_until(
    () => {
      try {
        return readFileSync(path.join(state_dir, "token"), "utf8").trim();
      } catch {
        return undefined;
      }
    },
    () => "no token file",
  );

const bearer = (token) => ({ authorization: `Bearer ${token}` });
const required = { args: ["--require-token"] };

test("the token is made at the first start, for its user only, and stays", async () => {
  await with_shared_state(async ({ state_dir, start }) => {
    const first = await initialized(start());
    const token = await token_of(state_dir);
    assert.match(token, /^[A-Za-z0-9_-]{43}$/);
    assert.equal(statSync(path.join(state_dir, "token")).mode & 0o777, 0o600);
    assert.equal((await first.http({ path: "/health" })).status, 200, "nobody asks for it");
    await first.stop();
    const again = await initialized(start(required));
    assert.equal(await token_of(state_dir), token);
    assert.equal((await again.http({ path: "/health", headers: bearer(token) })).status, 200);
    assert.ok(![first, again].some((c) => c.stderr.includes(token)));
    await again.stop();
    assert.ok(!readFileSync(path.join(state_dir, "gasoline.log"), "utf8").includes(token));
  });
});

test("every route asks for it, after Host and Origin", async () => {
  await with_engine(async (engine) => {
    const token = await token_of(engine.state_dir);
    const routes = [
      ["GET", "/"],
      ["GET", "/health"],
      ["GET", "/gasoline.js"],
      ["GET", "/nowhere"],
      ["POST", "/logs"],
      ["POST", "/ci-result"],
      ["POST", "/mcp"],
      ["GET", "/mcp"],
      ["DELETE", "/mcp"],
      ["GET", "/mcp/sse"],
      ["POST", "/mcp/messages/1"],
    ];
    for (const [method, route] of routes) {
      for (const headers of [{}, bearer("x"), bearer(token + "x"), bearer(token.slice(1))]) {
        const { status, headers: answer } = await engine.http({ method, path: route, headers });
        assert.equal(status, 401, `${method} ${route}`);
        assert.equal(answer["www-authenticate"], "Bearer");
      }
      const foreign = await engine.http({
        method,
        path: route,
        headers: { host: "evil.test", ...bearer(token) },
      });
      assert.equal(foreign.status, 403);
    }
    assert.equal((await engine.http({ path: "/health", headers: bearer(token) })).status, 200);
    const health = await engine.health();
    assert.equal(health.token_required, true);
    const page = { origin: "http://localhost:3000", "access-control-request-method": "POST" };
    const preflight = await engine.http({ method: "OPTIONS", path: "/mcp", headers: page });
    assert.equal(preflight.status, 204);
    assert.match(preflight.headers["access-control-allow-headers"], /Authorization/);
    const refused = await engine.http({ path: "/health", headers: { origin: page.origin } });
    assert.equal(refused.headers["access-control-allow-origin"], page.origin);
  }, required);
});

test("script and ingest take it in the query, nothing else does", async () => {
  await with_engine(async (engine) => {
    const token = await token_of(engine.state_dir);
    const script = await engine.http({ path: `/gasoline.js?token=${token}` });
    assert.notEqual(script.status, 401);
    const posted = await engine.post(`/logs?token=${token}`, exception("from a page"));
    assert.equal(posted.status, 200);
    assert.equal((await engine.post(`/ci-result?token=${token}`, ci_failure())).status, 200);
    assert.equal((await engine.observe({ what: "errors" })).count, 1);
    for (const route of ["/health", "/mcp", "/mcp/sse", "/"])
      assert.equal((await engine.http({ path: `${route}?token=${token}` })).status, 401);
    assert.equal((await engine.post("/logs?token=", exception("no"))).status, 401);
  }, required);
});

test("MCP over HTTP works with the header", async () => {
  await with_engine(async (engine) => {
    const token = await token_of(engine.state_dir);
    const { status, headers } = await engine.http({
      method: "POST",
      path: "/mcp",
      headers: { accept: accept_both, ...bearer(token) },
      body: initialize_of("2025-06-18"),
    });
    assert.equal(status, 200);
    assert.ok(headers["mcp-session-id"]);
  }, required);
});

test("a token of one's own; unfit files are refused with a sentence", async () => {
  const directory = temporary_directory();
  const file = path.join(directory, "my token");
  const use = async (text, mode) => {
    writeFileSync(file, text);
    chmodSync(file, mode);
    const child = spawn(
      binary,
      ["mcp", "--port", "0", "--state-dir", directory, "--token-file", file],
      { env: clean_environment(directory) },
    );
    let complaint = "";
    child.stderr.on("data", (chunk) => (complaint += chunk));
    child.stdin.end();
    const [code] = await within(once(child, "close"), patience_ms, () => "still running");
    return { code, complaint };
  };
  for (const [text, mode, sentence] of [
    ["", 0o600, /is empty.*openssl rand/],
    [" \n\n", 0o600, /is empty/],
    ["secret", 0o644, /every user.*chmod 600/],
    ["two words", 0o600, /no token/],
    ["x".repeat(2000), 0o600, /no token/],
  ]) {
    const { code, complaint } = await use(text, mode);
    assert.equal(code, 2, complaint);
    assert.match(complaint, sentence);
  }
  assert.equal((await use("fine", 0o600)).code, 0);
  writeFileSync(file, "my-own-token\n");
  await with_engine(
    async (engine) => {
      assert.equal((await engine.http({ path: "/health" })).status, 401);
      const { status } = await engine.http({ path: "/health", headers: bearer("my-own-token") });
      assert.equal(status, 200);
    },
    { args: ["--token-file", file] },
  );
});
