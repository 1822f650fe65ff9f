// Named streams over HTTP: publishing, Server-Sent Events that are cut and resumed, readers that
// stall, and the commands `gasoline tail` and `gasoline publish`.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import net from "node:net";
import { setTimeout as rest } from "node:timers/promises";
import { after, before, test } from "node:test";

import { EventSource } from "eventsource";

import { start_daemon } from "./support/daemon.mjs";
import { bound, median_of, wait_until, within } from "./support/deadline.mjs";
import { binary, clean_environment } from "./support/engine.mjs";
import { number_of, open_stream } from "./support/event_stream.mjs";
import { http_request, raw_http } from "./support/http.mjs";
import { ci_failure } from "./support/samples.mjs";

let engine;
let port;
let serial = 0;

before(async () => {
  engine = start_daemon({
    config: { limits: { mcp_keepalive_ms: 400, http_read_timeout_ms: 2_000 } },
  });
  port = await engine.port();
});
after(() => engine.stop());

const send = (method, path, body) => http_request(port, { method, path, body });

const create = async (stream_type = "sse", more = {}) => {
  const name = `h${(serial += 1)}`;
  const answer = await send("POST", "/streams", { name, stream_type, ...more });
  assert.equal(answer.status, 201, answer.text);
  return name;
};

const publish = async (name, body) => {
  const answer = await send("POST", `/streams/${name}/events`, body);
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
};

const open = (name, { query = "", headers } = {}) =>
  open_stream(port, { path: `/streams/${name}/events${query}`, headers });

const shown = ({ events }) => events.filter(({ data }) => data !== undefined);
const last_of = (name) => (event) => event.data === JSON.stringify(name);

test("GET mirrors stream_status, DELETE removes, methods and paths are checked", async () => {
  const name = await create("topic", { buffer_size: 7 });
  await publish(name, { data: 1, topic: "a.b" });
  const one = await send("GET", `/streams/${name}`);
  assert.equal(one.status, 200);
  assert.deepEqual(one.json.streams[0].topics, ["a.b"]);
  assert.equal(one.json.streams[0].buffer_capacity, 7);
  const all = (await send("GET", "/streams")).json;
  assert.ok(all.streams.some((stream) => stream.name === name));
  assert.ok(!all.streams.some((stream) => stream.name === "$alerts"));
  const not_served = await send("GET", `/streams/${name}/events`);
  assert.equal(not_served.status, 403);
  assert.match(not_served.json.message, /type topic/);
  assert.equal((await send("DELETE", `/streams/${name}`)).json.status, "deleted");
  assert.equal((await send("DELETE", `/streams/${name}`)).status, 404);
  const gone = await send("GET", `/streams/${name}`);
  assert.equal(gone.status, 404);
  assert.deepEqual(gone.json.streams, []);
  assert.equal((await send("DELETE", "/streams/$alerts")).status, 403);
  for (const path of ["/streams/", "/streams/a/b", "/streams/a/events/x", "/streams/%00", "/streams/%zz"])
    assert.ok([400, 404].includes((await send("GET", path)).status), path);
  const stranger = await http_request(port, {
    method: "POST",
    path: "/streams",
    body: { name: "evil" },
    headers: { origin: "https://evil.test" },
  });
  assert.equal(stranger.status, 403);
});

test("events have type, rising ids and data; filters hold; a comment keeps alive", async () => {
  const name = await create();
  const [all, some] = [await open(name), await open(name, { query: "?topic=orders.%3E" })];
  assert.match(all.headers["content-type"], /^text\/event-stream/);
  await publish(name, { data: { n: 1 }, topic: "orders.created", event_type: "order" });
  await publish(name, { data: "x\r\n\r\nid: 99\r\ndata: forged", topic: "other" });
  await publish(name, [{ data: 3, topic: "orders.a.b" }, { data: "end" }]);
  await all.event(last_of("end"));
  await some.event(last_of("end"));
  assert.deepEqual(
    shown(all).map(({ id, event }) => [number_of(id), event]),
    [[1, "order"], [2, "message"], [3, "message"], [4, "message"]],
  );
  assert.deepEqual(shown(some).map(({ id }) => number_of(id)), [1, 3, 4]);
  assert.equal(JSON.parse(shown(all)[1].data), "x\r\n\r\nid: 99\r\ndata: forged");
  await all.comment(1, bound(2_000));
  await send("DELETE", `/streams/${name}`);
  await Promise.all([all.ended(), some.ended()]);
  assert.ok(all.complete, "the response of a deleted stream ends in order");
});

test("Last-Event-ID replays what is buffered, hostile ones do no harm", async () => {
  const name = await create("sse", { buffer_size: 10 });
  await publish(name, Array.from({ length: 25 }, (_, n) => ({ data: n })));
  const ids_after = async (id) => {
    const stream = await open(name, { headers: { "last-event-id": id } });
    const mark = `mark-${(serial += 1)}`;
    await publish(name, { data: mark });
    await stream.event(last_of(mark));
    stream.drop();
    return shown(stream).map((event) => number_of(event.id));
  };
  assert.deepEqual(await ids_after("23"), [24, 25, 26]);
  const old = await ids_after("2");
  assert.equal(old.length, 11);
  assert.equal(old[0], 17);
  const newest = async () => (await send("GET", `/streams/${name}`)).json.streams[0].published_events;
  for (const id of ["abc", "-1", "1e3", "99999999999999999999999", "ä", "' OR 1=1", "0x10", "1 2"]) {
    const before_it = await newest();
    assert.deepEqual(await ids_after(Buffer.from(id).toString("latin1")), [before_it + 1], id);
  }
  const ahead = await ids_after("18446744073709551615");
  assert.equal(ahead.length, 11, "ids of an earlier stream: all that is buffered is new");
});

// Passes bytes on and cuts every connection after a while.
const cutting_proxy = (cut_ms) =>
  new Promise((resolve) => {
    let cuts = 0;
    const server = net.createServer((near) => {
      const far = net.connect(port, "127.0.0.1");
      const end = () => {
        near.destroy();
        far.destroy();
      };
      near.pipe(far).pipe(near);
      near.on("error", end).on("close", end);
      far.on("error", end).on("close", end);
      setTimeout(() => {
        cuts += 1;
        near.resetAndDestroy();
        far.destroy();
      }, cut_ms);
    });
    server.listen(0, "127.0.0.1", () =>
      resolve({ port: server.address().port, cuts: () => cuts, close: () => server.close() }),
    );
  });

test("an EventSource that is cut every 500 ms gets each event once, in order", async () => {
  const name = await create();
  const proxy = await cutting_proxy(500);
  const source = new EventSource(`http://127.0.0.1:${proxy.port}/streams/${name}/events`);
  const seen = [];
  source.addEventListener("count", ({ data }) => seen.push(JSON.parse(data).n));
  await new Promise((resolve) => source.addEventListener("open", resolve, { once: true }));
  const total = 800;
  for (let n = 0; n < total; n += 1) {
    await publish(name, { data: { n, text: "x".repeat(500) }, event_type: "count" });
    await rest(5);
  }
  await wait_until(
    () => seen.length >= total,
    () => `${seen.length} of ${total} events`,
    { ms: 30_000 },
  );
  source.close();
  proxy.close();
  assert.deepEqual(seen, Array.from({ length: total }, (_, n) => n));
  assert.ok(proxy.cuts() >= 4, `${proxy.cuts()} cuts`);
});

test("many readers get every event in order", async () => {
  const name = await create();
  const readers = await Promise.all(Array.from({ length: 100 }, () => open(name)));
  for (let n = 0; n < 400; n += 8)
    await publish(name, Array.from({ length: 8 }, (_, i) => ({ data: { n: n + i, pad: "x".repeat(500) } })));
  await publish(name, { data: "end" });
  await Promise.all(readers.map((reader) => reader.event(last_of("end"), 60_000)));
  for (const reader of readers) {
    const ids = shown(reader).map(({ id }) => number_of(id));
    assert.deepEqual(ids, Array.from({ length: 401 }, (_, n) => n + 1));
    reader.drop();
  }
});

test("a reader that stalls is closed, and others notice nothing", async () => {
  const name = await create();
  const stalled = net.connect(port, "127.0.0.1");
  stalled.write(`GET /streams/${name}/events HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  stalled.pause();
  const reader = await open(name);
  const times = [];
  const sent = 150;
  for (let n = 1; n <= sent; n += 1) {
    const begun = performance.now();
    await publish(name, { data: { n, pad: "x".repeat(100_000) } });
    await reader.event(({ id, data }) => data !== undefined && number_of(id) === n);
    times.push(performance.now() - begun);
  }
  let closed = false;
  let bytes = 0;
  stalled
    .on("error", () => {})
    .on("close", () => (closed = true))
    .on("data", (chunk) => (bytes += chunk.length));
  stalled.resume();
  await wait_until(
    () => closed,
    () => "the stalled reader is still open",
    { ms: 10_000 },
  );
  assert.ok(bytes < sent * 100_000, "it cannot have got everything");
  assert.ok(median_of(times) < bound(50), `${median_of(times)} ms`);
  reader.drop();
});

test("a quiet topic is served quickly while another is busy", async () => {
  const [busy, quiet] = [await create(), await create()];
  const readers = await Promise.all(Array.from({ length: 20 }, () => open(busy)));
  let running = true;
  const flood = (async () => {
    const events = Array.from({ length: 200 }, (_, n) => ({ data: { n, pad: "x".repeat(200) } }));
    while (running) await publish(busy, events);
  })();
  const source = await open(quiet);
  const times = [];
  for (let n = 0; n < 30; n += 1) {
    const begun = performance.now();
    publish(quiet, { data: `q${n}` });
    await source.event(last_of(`q${n}`));
    times.push(performance.now() - begun);
    await rest(10);
  }
  running = false;
  await flood;
  for (const reader of [...readers, source]) reader.drop();
  assert.ok(median_of(times) < bound(50), `${median_of(times)} ms`);
});

test("hostile bodies are refused in a sentence and the rest of a list survives", async () => {
  const name = await create();
  const bodies = ["", "{", "null", "[]", "7", '"x"', "[".repeat(10_000), `{"data":${"[".repeat(5_000)}`,
    '{"data":1,"topic":7}', '{"data":1,"event_type":"a\\nb"}', '{"data":1,"topic":"a b"}', "\u0000"];
  for (const body of bodies) {
    const answer = await send("POST", `/streams/${name}/events`, body);
    assert.equal(answer.status, 400, `${body.slice(0, 40)}: ${answer.text}`);
    assert.match(answer.json.message ?? answer.json.error, /\.$/);
  }
  const large = await send("POST", `/streams/${name}/events`, { data: "x".repeat(300_000) });
  assert.equal(large.status, 413);
  const lone = await send("POST", `/streams/${name}/events`, '{"data":"\\ud800"}');
  assert.equal(lone.status, 200, lone.text);
  const raw = await raw_http(port, `GET /streams/${name}/events?topic=%0d%0aX:1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
  assert.equal(raw.status, 400);
  const { streams } = (await send("GET", `/streams/${name}`)).json;
  assert.equal(streams[0].buffered_events, 1);
});

test("alerts are followed over SSE", async () => {
  const stream = await open("$alerts", { query: "?topic=ci.*" });
  await send("POST", "/ci-result", ci_failure({ source: "sse-test" }));
  const event = await stream.event(({ data }) => data?.includes("sse-test"));
  assert.equal(event.event, "alert");
  stream.drop();
});

const command = (...args) => {
  const child = spawn(binary, [...args, "--state-dir", engine.state_dir], {
    env: clean_environment(engine.state_dir),
  });
  const out = { text: "", errors: "" };
  child.stdout.setEncoding("utf8").on("data", (text) => (out.text += text));
  child.stderr.setEncoding("utf8").on("data", (text) => (out.errors += text));
  out.child = child;
  out.end = new Promise((resolve) => child.on("close", resolve));
  return out;
};

test("gasoline publish and gasoline tail", async () => {
  const name = `cli${(serial += 1)}`;
  const made = command("publish", name, '{"n":0}', "--create", "sse");
  assert.equal(await made.end, 0, made.errors);
  const [tail, json] = [
    command("tail", "stream", name, "--topic", "orders.*"),
    command("tail", "stream", name, "--json"),
  ];
  await wait_until(
    async () => {
      await publish(name, { data: "warm", topic: "orders.warm" });
      return tail.text.includes("warm") && json.text.includes("warm");
    },
    () => "tail does not connect",
  );
  const sent = command("publish", name, '{"n":1}', "--topic", "orders.created", "--type", "order");
  assert.equal(await sent.end, 0, sent.errors);
  assert.equal(JSON.parse(sent.text).status, "published");
  const lines = command("publish", name, "-", "--lines", "--topic", "orders.x");
  lines.child.stdin.end('one\n{"n":2}\n');
  assert.equal(await lines.end, 0, lines.errors);
  const without_warm = ({ text }) => text.split("\n").filter((line) => line && !line.includes("warm"));
  await wait_until(
    () => without_warm(json).length >= 3 && without_warm(tail).length >= 3,
    () => json.text,
  );
  const [first, second] = without_warm(tail);
  assert.match(first, /^\S+Z order \[orders\.created\] \{"n":1\}$/);
  assert.match(second, /message \[orders\.x\] "one"$/);
  assert.deepEqual(
    without_warm(json).map((line) => JSON.parse(line).data),
    [{ n: 1 }, "one", { n: 2 }],
  );
  json.child.stdout.destroy();
  for (let n = 0; n < 3; n += 1) {
    await publish(name, { data: n });
    await rest(100);
  }
  assert.equal(await within(json.end, 5_000, () => "tail outlives its reader"), 0);
  tail.child.kill();
  const missing = command("tail", "stream", "none");
  assert.equal(await missing.end, 1);
  assert.match(missing.errors, /does not exist/);
});
