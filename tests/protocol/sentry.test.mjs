// Sentry SDKs as they are: what their programs throw becomes alerts.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { deflateSync } from "node:zlib";

import { wait_until } from "./support/deadline.mjs";
import { clean_environment, with_engine } from "./support/engine.mjs";
import { http_request } from "./support/http.mjs";

const program = fileURLToPath(new URL("support/sentry_program.mjs", import.meta.url));

const python = "/usr/bin/python3";
const python_program = fileURLToPath(new URL("support/sentry_program.py", import.meta.url));
const has_python_sdk = spawnSync(python, ["-c", "import sentry_sdk"]).status === 0;

// Runs the program to its end; gives its exit code.
const run_program = (engine, acts, variables) =>
  run_command(engine, process.execPath, [program, ...acts], variables);

const run_command = async (engine, command, words, variables) => {
  const child = spawn(command, words, {
    env: { ...clean_environment(engine.state_dir), ...variables },
    stdio: "ignore",
  });
  const [code] = await once(child, "exit");
  return code;
};

const alerts_of = async (engine) =>
  (await engine.observe({ what: "alerts", limit: 50, max_bytes: 60000 })).items;

const alert = (engine, title) =>
  wait_until(
    async () => (await alerts_of(engine)).find((a) => title.test(a.title)),
    () => `no alert ${title}`,
  );

test("what a program with @sentry/node throws is an alert with its own frame", async () => {
  await with_engine(async (engine) => {
    const dsn = `http://x@127.0.0.1:${await engine.port()}/1`;
    assert.equal(await run_program(engine, ["throw"], { TEST_DSN: dsn }), 1);
    const found = await alert(engine, /^Uncaught RangeError: orders failed$/);
    assert.match(found.detail, /Caused by: TypeError: Cannot read properties of null/);
    assert.match(found.detail, /\nat \S*load.* \(.*sentry_program\.mjs:\d+:\d+\)\n/);
    assert.match(found.detail, /service checkout/);
    const { items } = await engine.observe({ what: "errors", origin: "sentry" });
    assert.equal(items[0].sdk, "sentry.javascript.node 11.12.0");
    assert.equal(items[0].handled, false);
  });
});

test("an event that comes by the DSN and by Spotlight is one; a compressed one is read", async () => {
  await with_engine(async (engine) => {
    const base = `http://127.0.0.1:${await engine.port()}`;
    await run_program(engine, ["catch", "large"], {
      TEST_DSN: base.replace("//", "//x@") + "/1",
      SENTRY_SPOTLIGHT: `${base}/stream`,
    });
    await alert(engine, /^Error: x+/);
    const found = await alert(engine, /^RangeError: orders failed$/);
    assert.equal(found.count ?? 1, 1);
    assert.equal((await engine.observe({ what: "errors" })).total, 2);
    assert.equal((await engine.health()).ingest.refused_posts ?? 0, 0);
  });
});

test("Spotlight alone needs no DSN", async () => {
  await with_engine(async (engine) => {
    const spotlight = `http://127.0.0.1:${await engine.port()}/stream`;
    await run_program(engine, ["catch"], { SENTRY_SPOTLIGHT: spotlight });
    await alert(engine, /^RangeError: orders failed$/);
  });
});

test("a DSN may have a path, and old SDKs send what is packed and in base64", async () => {
  await with_engine(async (engine) => {
    const port = await engine.port();
    const dsn = `http://x@127.0.0.1:${port}/behind/a-proxy/1`;
    assert.equal(await run_program(engine, ["throw"], { TEST_DSN: dsn }), 1);
    await alert(engine, /^Uncaught RangeError: orders failed$/);
    const event = (value) => JSON.stringify({ exception: [{ type: "IOError", value }] });
    const forms = {
      plain: (text) => text,
      base64: (text) => Buffer.from(text).toString("base64"),
      lines: (text) => Buffer.from(text).toString("base64").replace(/.{20}/g, "$&\n"),
      zlib: (text) => deflateSync(text),
      both: (text) => deflateSync(text).toString("base64"),
    };
    for (const [name, pack] of Object.entries(forms)) {
      const path = `/behind/api/${name}/store/`;
      const body = pack(event(`as ${name}`));
      const answer = await http_request(port, { method: "POST", path, body });
      assert.equal(answer.status, 200, name);
    }
    const told = (await engine.observe({ what: "logs", limit: 20 })).items;
    for (const name of Object.keys(forms))
      assert.ok(JSON.stringify(told).includes(`IOError: as ${name}`), name);
    for (const body of ["AAAA", "not base64!", deflateSync("no json").toString("base64")]) {
      const answer = await http_request(port, { method: "POST", path: "/api/1/store/", body });
      assert.equal(answer.status, 400);
      assert.equal(typeof JSON.parse(answer.text).detail, "string");
    }
    const bomb = deflateSync(Buffer.alloc(64 << 20)).toString("base64");
    const refused = await http_request(port, { method: "POST", path: "/api/1/store/", body: bomb });
    assert.equal(refused.status, 400);
  });
});

test("Debian's Python SDK", { skip: has_python_sdk ? false : "python3-sentry-sdk is not there" }, async () => {
  await with_engine(async (engine) => {
    const dsn = `http://x@127.0.0.1:${await engine.port()}/1`;
    assert.equal(await run_command(engine, python, [python_program], { TEST_DSN: dsn }), 1);
    const thrown = await alert(engine, /^Uncaught KeyError: 'sku'$/);
    assert.match(thrown.detail, /at load \(.*sentry_program\.py:\d+\)\n/);
    const caught = await alert(engine, /^ValueError: cannot bill$/);
    assert.match(caught.detail, /Caused by: KeyError: 'sku' at .*sentry_program\.py:\d+/);
    assert.match(caught.detail, /service billing/);
    await alert(engine, /^lost order 7$/);
    const { items } = await engine.observe({ what: "timeline", service: "billing" });
    assert.ok(items.some((e) => e.message === "stock is low" && e.breadcrumb === "shop"));
  });
});

test("browsers may send: preflight, CORS of the answer; pages of other sites may not", async () => {
  await with_engine(async (engine) => {
    const path = "/api/1/envelope/?sentry_key=x&sentry_version=7";
    const page = { origin: "http://localhost:3000" };
    const asked = await engine.http({
      method: "OPTIONS",
      path,
      headers: {
        ...page,
        "access-control-request-method": "POST",
        "access-control-request-headers": "x-sentry-auth,content-encoding,content-type",
      },
    });
    assert.equal(asked.status, 204);
    const allowed = asked.headers["access-control-allow-headers"].toLowerCase().split(", ");
    for (const name of ["x-sentry-auth", "content-encoding", "content-type"])
      assert.ok(allowed.includes(name), name);
    const envelope = '{}\n{"type":"event"}\n{"message":"from a page","level":"error"}';
    const send = (headers) => engine.post(path, envelope, headers);
    const types = [
      "text/plain;charset=UTF-8",
      "application/x-sentry-envelope",
      "multipart/form-data",
      "application/x-www-form-urlencoded",
    ];
    for (const type of types) {
      const taken = await send({ ...page, "content-type": type });
      assert.equal(taken.status, 200, type);
      assert.equal(taken.headers["access-control-allow-origin"], page.origin);
    }
    for (const [route, type] of [
      [path, "text/plain"],
      ["/stream", "application/x-sentry-envelope"],
    ]) {
      const headers = { origin: "https://evil.test", "content-type": type };
      assert.equal((await engine.post(route, envelope, headers)).status, 403);
    }
    assert.equal((await engine.observe({ what: "errors" })).total, types.length);
    assert.equal((await engine.health()).http.refused_origins["https://evil.test"], 2);
  });
});
