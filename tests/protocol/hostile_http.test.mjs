// MCP over HTTP from clients that mean harm or cannot do better.
import assert from "node:assert/strict";
import { once } from "node:events";
import net from "node:net";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

import { patience_ms, within } from "./support/deadline.mjs";
import { many_calls, start_daemon } from "./support/daemon.mjs";
import { raw_http } from "./support/http.mjs";
import {
  http_session,
  initialize_of,
  modern_request,
  notification_of,
  post_mcp,
  request_of,
} from "./support/mcp_http.mjs";

let engine;
let port;

before(async () => {
  engine = start_daemon({ config: many_calls });
  port = await engine.port();
});
after(() => engine.stop());

const assert_alive = async () => {
  const session = await http_session.open(port);
  assert.deepEqual((await session.request("ping")).response.result, {});
  await session.end();
};

const head_of = (session, more = "") =>
  "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" +
  "Accept: application/json, text/event-stream\r\n" +
  `Mcp-Session-Id: ${session.id}\r\nMCP-Protocol-Version: ${session.version}\r\n${more}\r\n`;

test("10,000 GETs without Accept are refused and cost nothing", async () => {
  const session = await http_session.open(port);
  const before = engine.memory_kb();
  const request = `GET /mcp HTTP/1.1\r\nHost: localhost\r\nMcp-Session-Id: ${session.id}\r\n\r\n`;
  const socket = net.connect(port, "127.0.0.1");
  await once(socket, "connect");
  let refused = 0;
  let rest = "";
  socket.on("data", (chunk) => {
    const parts = (rest + chunk).split("HTTP/1.1 ");
    refused += parts.slice(1).filter((part) => part.startsWith("406")).length;
    rest = "";
    socket.emit("counted");
  });
  for (let sent = 0; sent < 10_000; sent += 1) {
    socket.write(request);
    if (sent % 20 === 19)
      await within(
        (async () => {
          while (refused <= sent) await once(socket, "counted");
        })(),
        patience_ms,
        () => `${refused} of ${sent + 1} refused`,
      );
  }
  assert.equal(refused, 10_000);
  socket.destroy();
  assert.ok(engine.memory_kb() - before < 20_000);
  await assert_alive();
});

test("a body that never ends is cut off at the limit, in bounded memory", async () => {
  const session = await http_session.open(port);
  const before = engine.memory_kb();
  for (const framing of ["Transfer-Encoding: chunked\r\n", "Content-Length: 99999999999\r\n"]) {
    const socket = net.connect(port, "127.0.0.1");
    socket.on("error", () => {});
    await once(socket, "connect");
    let answer = "";
    socket.on("data", (chunk) => (answer += chunk));
    const closed = new Promise((resolve) => socket.on("close", resolve));
    socket.write(head_of(session, framing));
    const piece = "a".repeat(65_536);
    const chunk = framing.startsWith("T") ? `10000\r\n${piece}\r\n` : piece;
    for (let i = 0; i < 1000 && !socket.destroyed && answer === ""; ++i) {
      socket.write(chunk);
      await sleep(1);
    }
    await within(closed, patience_ms, () => `still open: ${answer.slice(0, 200)}`);
    assert.match(answer, /^HTTP\/1\.1 413/);
  }
  assert.ok(engine.memory_kb() - before < 64_000, "memory follows the body");
  await assert_alive();
});

test("sockets that close in the middle of every phase", async () => {
  const session = await http_session.open(port);
  const body = JSON.stringify(
    request_of("tools/call", { name: "observe", arguments: { what: "alerts", wait_seconds: 50 } }),
  );
  const whole = head_of(session, `Content-Length: ${body.length}\r\n`) + body;
  for (const cut of [
    1,
    10,
    40,
    100,
    whole.length - body.length - 1,
    whole.length - 1,
    whole.length,
  ])
    for (const leave of ["end", "destroy", "resetAndDestroy"]) {
      const socket = net.connect(port, "127.0.0.1");
      socket.on("error", () => {});
      await once(socket, "connect");
      socket.write(whole.slice(0, cut));
      await sleep(5);
      socket[leave]();
      if (leave === "end") socket.destroySoon();
    }
  assert.deepEqual((await session.request("ping")).response.result, {});
});

test("header and body that disagree about everything", async () => {
  const session = await http_session.open(port);
  const { body, headers } = modern_request("tools/list", {}, { id: "both" });
  const mixed = await post_mcp(port, body, { ...session.headers, ...headers });
  assert.equal(mixed.status, 200, "a stray session id means nothing to 2026-07-28");
  const legacy_header = { ...session.headers, "mcp-method": "tools/list" };
  const claimed = await post_mcp(port, body, legacy_header);
  assert.equal(claimed.status, 400);
  assert.equal(claimed.response.error.code, -32020);
  const unclaimed = await post_mcp(port, request_of("tools/list", {}, "u"), {
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "tools/list",
  });
  assert.equal(unclaimed.status, 400);
  assert.equal(unclaimed.response.error.code, -32602);
  assert.equal(unclaimed.response.id, "u");
  for (const length of ["0", "5", "-1", "abc", "18446744073709551616"]) {
    const text = JSON.stringify(request_of("ping"));
    const answer = await within(
      raw_http(port, head_of(session, `Content-Length: ${length}\r\nConnection: close\r\n`) + text),
      patience_ms,
      () => `no answer to a length of ${length}`,
    );
    assert.match(String(answer.status), /^4\d\d$/, length);
  }
  await assert_alive();
});

test("wrong shapes keep their id", async () => {
  const session = await http_session.open(port);
  for (const [id, rest] of [
    ["text", '"method":5'],
    [7, '"params":{}'],
    ["", '"method":"ping","params":"x"'],
    [-3, '"method":null'],
  ]) {
    const answer = await session.post(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},${rest}}`);
    assert.equal(answer.status, 400, answer.text);
    assert.deepEqual(answer.response.id, id);
  }
  for (const id of ["null", "true", "{}", "[]", "1.5"]) {
    const answer = await session.post(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`);
    assert.equal(answer.status, 400, `${id} ${answer.text}`);
    assert.equal(answer.response.id ?? null, null);
  }
});

test("cancelling what is unknown is silent, in any shape", async () => {
  const session = await http_session.open(port);
  for (const params of [
    { requestId: "nobody" },
    { requestId: 999_999_999 },
    { requestId: null },
    { requestId: {} },
    { requestId: "x".repeat(100_000) },
    {},
    undefined,
  ]) {
    const answer = await session.post(notification_of("notifications/cancelled", params));
    assert.equal(answer.status, 202, answer.text);
    assert.equal(answer.text, "");
  }
  assert.deepEqual((await session.request("ping")).response.result, {});
});

test("a session cannot cancel a call of another", async () => {
  const [waiting, other] = [await http_session.open(port), await http_session.open(port)];
  const call = request_of(
    "tools/call",
    { name: "observe", arguments: { what: "alerts", wait_seconds: 2 } },
    "mine",
  );
  const stream = await waiting.open(call);
  await other.post(notification_of("notifications/cancelled", { requestId: "mine" }));
  assert.ok((await stream.answer("mine")).result);
});

test("initialize storms: sessions are bounded, the engine answers", async () => {
  const bounded = start_daemon({ config: { limits: { mcp_sessions: 20 } } });
  const other = await bounded.port();
  for (let i = 0; i < 200; ++i) {
    const { status } = await post_mcp(other, initialize_of());
    assert.ok([200, 503].includes(status), `${status}`);
  }
  const { clients } = (await bounded.http({ path: "/health" })).json;
  assert.ok(clients.length <= 20, `${clients.length} clients`);
  await bounded.stop();
});

test("deep, long and odd bodies are refused, nothing is logged to stdout", async () => {
  const session = await http_session.open(port);
  for (const body of [
    "[".repeat(100_000),
    '{"a":'.repeat(50_000),
    `{"jsonrpc":"2.0","id":1,"method":"${"m".repeat(1_000_000)}"}`,
    '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":1e999}}',
    Buffer.from([0xff, 0xfe, 0x7b, 0x7d]),
    "\u0000",
  ]) {
    const { status } = await session.post(body);
    assert.ok([200, 400, 413].includes(status), `${status}`);
  }
  assert.deepEqual((await session.request("ping")).response.result, {});
});
