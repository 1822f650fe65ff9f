// OpenTelemetry's own SDK for Node.js, unchanged, with both encodings: what its services say becomes
// alerts that name service, error and place; and the answers that its exporters want.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { networkInterfaces } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

import { wait_until } from "./support/deadline.mjs";
import { binary, clean_environment, temporary_directory, with_engine } from "./support/engine.mjs";
import { http_request } from "./support/http.mjs";

const program = fileURLToPath(new URL("./support/otel_service.cjs", import.meta.url));

// Starts the shop, calls it, and ends it, by which it sends what it still has.
const with_shop = async (engine_port, protocol, work) => {
  const child = spawn(process.execPath, [program], {
    stdio: ["pipe", "pipe", "pipe"],
    env: {
      ...clean_environment(temporary_directory()),
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${engine_port}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
      OTEL_SERVICE_NAME: "checkout-api",
      OTEL_LOGS_EXPORTER: "otlp",
      OTEL_METRICS_EXPORTER: "otlp",
      OTEL_LOG_LEVEL: "error",
    },
  });
  let said = "";
  child.stderr.on("data", (chunk) => (said += chunk));
  const ended = once(child, "close");
  const [line] = await once(child.stdout, "data");
  child.stdout.on("data", (chunk) => (said += chunk));
  await work(Number(line));
  child.stdin.end();
  const [code] = await ended;
  assert.equal(code, 0, said);
  return said;
};

const get = (port, path, headers) => http_request(port, { path, headers });

for (const protocol of ["http/protobuf", "http/json"])
  test(`@opentelemetry/sdk-node over ${protocol}: one alert for one failed request`, async () => {
    await with_engine(async (engine) => {
      await engine.stream({ streaming_action: "enable", throttle_seconds: 1 });
      const trace = "4bf92f3577b34da6a3ce929d0e0e4736";
      const said = await with_shop(await engine.port(), protocol, async (port) => {
        const traceparent = `00-${trace}-00f067aa0ba902b7-01`;
        assert.equal((await get(port, "/orders", { traceparent })).status, 500);
        assert.equal((await get(port, "/log")).status, 200);
      });
      assert.equal(said, "", "the exporters complain of nothing");
      const { items } = await engine.observe({ what: "alerts" });
      const failed = items.find(({ title }) => title.startsWith("500 from checkout-api"));
      assert.ok(failed, JSON.stringify(items));
      const fault =
        /checkout-api: TypeError: relation "orders" does not exist in select 1, at otel_service\.cjs:\d+:\d+/;
      assert.match(failed.title, fault);
      assert.match(failed.title, / \(GET \/orders\)$/);
      assert.match(failed.also.join("\n"), fault);
      assert.ok(items.some(({ title }) => title === "checkout-api: the card was refused"));
      assert.equal(items.length, 2, JSON.stringify(items));
      const { items: events } = await engine.observe({ what: "timeline", limit: 50 });
      const of_trace = events.filter(({ trace_id }) => trace_id === trace);
      assert.deepEqual(of_trace.map(({ what }) => what).sort(), ["logs", "network_waterfall"]);
      const thrown = of_trace.find(({ what }) => what === "logs");
      const answered = of_trace.find(({ what }) => what === "network_waterfall");
      assert.equal(thrown.parent_span_id, answered.span_id);
      assert.equal(answered.parent_span_id, "00f067aa0ba902b7");
      assert.ok(events.some(({ message }) => message === '{"paid":true,"items":[1,"two"]}'));
      const { sources, ingest } = await engine.health();
      assert.ok(sources.otlp_logs && sources.otlp_traces);
      assert.equal(ingest.of_coding_agents, 0);
    });
  });

test("a coding agent's own telemetry raises nothing", async () => {
  await with_engine(async (engine) => {
    const attributes = [{ key: "service.name", value: { stringValue: "claude-code" } }];
    const logRecords = [{ severityNumber: 17, body: { stringValue: "tool failed" } }];
    const body = { resourceLogs: [{ resource: { attributes }, scopeLogs: [{ logRecords }] }] };
    const answer = await engine.post("/v1/logs", body);
    assert.deepEqual(answer.json, {});
    assert.equal((await engine.observe({ what: "alerts" })).count, 0);
    assert.equal((await engine.health()).ingest.of_coding_agents, 1);
  });
});

test("answers in the sender's type", async () => {
  await with_engine(async (engine) => {
    const port = await engine.port();
    const post = (path, body, headers) =>
      http_request(port, { path, method: "POST", body, headers });
    for (const type of ["application/x-protobuf", "application/protobuf"]) {
      const empty = await post("/v1/traces", Buffer.alloc(0), { "content-type": type });
      assert.equal(empty.status, 200);
      assert.equal(empty.text, "");
      const bad = await post("/v1/traces", Buffer.from([10, 200, 1]), { "content-type": type });
      assert.equal(bad.status, 400);
      assert.equal(bad.headers["content-type"], "application/x-protobuf");
      assert.match(bad.text, /protobuf/);
    }
    const json = { "content-type": "application/json; charset=utf-8" };
    assert.equal((await post("/v1/metrics", "", json)).text, "{}");
    const zipped = { ...json, "content-encoding": "gzip" };
    assert.equal((await post("/v1/logs", gzipSync('{"resourceLogs":[]}'), zipped)).text, "{}");
    const beacon = await post("/v1/logs", "{}", { "content-type": "text/plain" });
    assert.equal(beacon.text, "{}");
    const wrong = await post("/v1/logs", '{"resourceLogs":[]}', {
      "content-type": "application/x-protobuf",
    });
    assert.equal(wrong.status, 400);
    assert.match(wrong.text, /application\/json/);
    const other = await post("/v1/logs", '{"entries":[]}', json);
    assert.equal(other.status, 200);
    assert.match(JSON.parse(other.text).partialSuccess.errorMessage, /resourceLogs/);
    // What is refused before it is read, too.
    for (const type of ["application/x-protobuf", "application/json"]) {
      const coded = { "content-type": type, "content-encoding": "lzma" };
      const bomb = { "content-type": type, "content-encoding": "gzip" };
      const refusals = [
        [415, await post("/v1/logs", "x", coded)],
        [413, await post("/v1/logs", gzipSync(Buffer.alloc(64 << 20)), bomb)],
        [400, await post("/v1/logs", "x", bomb)],
        [413, await post("/v1/logs", Buffer.alloc(12 << 20, 10), { "content-type": type })],
      ];
      for (const [status, { status: told, headers, text }] of refusals) {
        assert.equal(told, status);
        assert.equal(headers["content-type"], type);
        // A google.rpc.Status: its code is 3, its message says what to do.
        if (type === "application/json") assert.equal(JSON.parse(text).code, 3);
        else assert.ok(text.startsWith("\x08\x03\x12"));
        assert.match(text, /send/);
      }
    }
    const foreign = await post("/v1/logs", "{}", { ...json, origin: "https://evil.example" });
    assert.equal(foreign.status, 403);
    const broken = await post("/v1/logs", "{", json);
    assert.equal(broken.status, 400);
    assert.equal(JSON.parse(broken.text).code, 3);
    await engine.assert_alive();
    await wait_until(async () => (await engine.health()).ingest.backlog_bytes === 0);
  });
});

// Java and others take localhost for ::1.
const has_ipv6 = Object.values(networkInterfaces())
  .flat()
  .some(({ address }) => address === "::1");

test("further ports: one that is free takes telemetry too, one that is taken is a warning", async () => {
  const holder = createServer();
  await new Promise((resolve) => holder.listen(0, "127.0.0.1", resolve));
  const taken = String(holder.address().port);
  const config = path.join(temporary_directory(), "config.json");
  writeFileSync(config, JSON.stringify({ listen_also: [0, Number(taken)] }));
  try {
    await with_engine(
      async (engine) => {
        // Once its port is known, it has tried the further ones too.
        const own = await engine.port();
        const { also } = (await engine.health()).http;
        assert.match(also[taken], /is taken by the program .*node/);
        const [free] = Object.entries(also).find(([, state]) => state === "listening");
        assert.notEqual(Number(free), own);
        const answer = await http_request(Number(free), {
          method: "POST",
          path: "/v1/logs",
          body: { resourceLogs: [] },
        });
        assert.equal(answer.text, "{}");
        assert.match(engine.stderr, /a further port is not listened on/);
        for (const port of has_ipv6 ? [own, Number(free)] : []) {
          const other = await fetch(`http://[::1]:${port}/v1/logs`, {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: "{}",
          });
          assert.equal(await other.text(), "{}");
        }
      },
      { args: ["--config", config] },
    );
  } finally {
    holder.close();
  }
});

test("gasoline run tells OpenTelemetry where to send, unless the user has", async () => {
  await with_engine(async (engine) => {
    const show = "$OTEL_EXPORTER_OTLP_ENDPOINT $OTEL_EXPORTER_OTLP_PROTOCOL";
    const said_by = async (state_dir, env = {}) => {
      const words = ["run", "--state-dir", state_dir, "--", "sh", "-c", `echo ${show}`];
      const child = spawn(binary, words, { env: { ...clean_environment(state_dir), ...env } });
      let out = "";
      child.stdout.on("data", (chunk) => (out += chunk));
      await once(child, "close");
      return out.trim();
    };
    const base = `http://127.0.0.1:${await engine.port()}`;
    assert.equal(await said_by(engine.state_dir), `${base} http/protobuf`);
    const own = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318" };
    assert.equal(await said_by(engine.state_dir, own), "http://collector:4318");
    assert.equal(await said_by(temporary_directory()), "");
  });
});
