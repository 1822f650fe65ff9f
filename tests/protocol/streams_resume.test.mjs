// Readers of named streams that come back: with an id of another life of the stream, with a
// parameter instead of the header, slowly, and while the stream is being deleted.
import assert from "node:assert/strict";
import net from "node:net";
import { after, before, test } from "node:test";

import { EventSource } from "eventsource";

import { start_daemon } from "./support/daemon.mjs";
import { wait_until, within } from "./support/deadline.mjs";
import { temporary_directory } from "./support/engine.mjs";
import { number_of, open_stream } from "./support/event_stream.mjs";
import { http_request } from "./support/http.mjs";
import { ci_failure } from "./support/samples.mjs";

let engine;
let port;
let serial = 0;

before(async () => {
  engine = start_daemon();
  port = await engine.port();
});
after(() => engine.stop());

const send = (method, path, body, to = port) => http_request(to, { method, path, body });

const create = async (more = {}, name = `r${(serial += 1)}`) => {
  const answer = await send("POST", "/streams", { name, stream_type: "sse", ...more });
  assert.equal(answer.status, 201, answer.text);
  return name;
};

const publish = async (name, body) => {
  const answer = await send("POST", `/streams/${name}/events`, body);
  assert.equal(answer.status, 200, answer.text);
};

const numbers = (n) => Array.from({ length: n }, (_, i) => ({ data: i + 1 }));

const open = (name, { query = "", id, to = port } = {}) =>
  open_stream(to, {
    path: `/streams/${name}/events${query}`,
    headers: id === undefined ? {} : { "last-event-id": id },
  });

const shown = ({ events }) => events.filter(({ data }) => data !== undefined);

// What a reader gets before an event that is published once it is there.
const read = async (name, options) => {
  const reader = await open(name, options);
  const end = `end ${(serial += 1)}`;
  await publish(name, { data: end });
  await reader.event(({ data }) => data === JSON.stringify(end));
  reader.drop();
  const events = shown(reader).slice(0, -1);
  return {
    values: events.map(({ data }) => JSON.parse(data)),
    ids: events.map(({ id }) => id),
    marks: reader.comments.map(({ text }) => text),
  };
};

test("a page resumes by a parameter as a program does by the header", async () => {
  for (const ask of [
    (id) => ({ id }),
    (id) => ({ query: `?lastEventId=${id}` }),
    (id) => ({ query: `?last_event_id=${id}` }),
    (id) => ({ query: `?topic=*&lastEventID=${id}` }),
  ]) {
    const name = await create({ buffer_size: 7 });
    await publish(name, numbers(17));
    const { ids } = await read(name, { id: "0" }); // 11 to 17, and one that ends the reading
    assert.deepEqual(ids.map(number_of), [11, 12, 13, 14, 15, 16, 17]);
    for (const place of ["14", ids[3]]) {
      const { values, marks } = await read(name, ask(place));
      assert.deepEqual(values.slice(0, 3), [15, 16, 17]);
      assert.ok(!/[0-9] events are no longer/.test(marks.join()));
    }
    const { marks } = await read(name, ask("3"));
    assert.match(marks.join(), /[0-9] events are no longer buffered/);
  }
});

test("0 gives all that is kept, the header wins, and what cannot be an id is no id", async () => {
  const name = await create({ buffer_size: 50 });
  await publish(name, numbers(9));
  assert.deepEqual((await read(name, { query: "?lastEventId=0" })).values.slice(0, 9).length, 9);
  const both = await read(name, { query: "?lastEventId=2", id: "7" });
  assert.deepEqual(both.values.slice(0, 2), [8, 9]);
  for (const odd of ["", "abc", "-1", "1e3", "%20", "zzzzzzzz-1", "0x3"])
    assert.deepEqual((await read(name, { query: `?lastEventId=${odd}` })).values, [], odd);
});

test("an id of a stream that was deleted is none of the stream that follows it", async () => {
  const name = await create();
  await publish(name, numbers(5));
  const { ids } = await read(name, { id: "0" });
  await send("DELETE", `/streams/${name}`);
  await create({}, name);
  await publish(name, numbers(8));
  for (const ask of [{ id: ids[4] }, { query: `?lastEventId=${ids[4]}` }]) {
    const again = await read(name, ask);
    assert.deepEqual(again.values.slice(0, 8), numbers(8).map(({ data }) => data));
    assert.match(again.marks.join(), /made anew.*no longer buffered/);
  }
  // Who counts by itself is told that this cannot be known.
  const counted = await read(name, { id: "5" });
  assert.deepEqual(counted.values.slice(0, 3), [6, 7, 8]);
  assert.match(counted.marks.join(), /which life/);
});

test("an EventSource misses nothing of the engine that follows the one it read from", async () => {
  const state_dir = temporary_directory();
  const alerts = async (count, label, to) => {
    for (let n = 0; n < count; n += 1)
      await send("POST", "/ci-result", ci_failure({ source: `${label} ${n}`, commit: `${n}` }), to);
  };
  let current = start_daemon({ state_dir });
  const fixed = await current.port();
  await alerts(3, "first", fixed);
  const seen = [];
  const source = new EventSource(`http://127.0.0.1:${fixed}/streams/$alerts/events?lastEventId=0`);
  source.addEventListener("alert", ({ data }) => seen.push(JSON.parse(data).source_detail ?? data));
  try {
    await wait_until(
      () => seen.length === 3,
      () => `${seen.length} of 3`,
    );
    await current.stop();
    current = start_daemon({ state_dir, port: fixed });
    await current.port();
    await alerts(6, "second", fixed);
    await wait_until(
      () => seen.length >= 9,
      () => `${seen.length} of 9`,
    );
    assert.equal(seen.filter((text) => text.includes("second")).length, 6);
  } finally {
    source.close();
    await current.stop();
  }
});

test("a slow reader that replays holds no more than one that is live, and is told", async () => {
  const name = await create({ buffer_size: 100_000 });
  const pad = "x".repeat(60_000);
  for (let n = 0; n < 100; n += 1) await publish(name, { data: pad });
  const before = engine.memory_kb();
  const socket = net.connect(port, "127.0.0.1");
  socket.write(
    `GET /streams/${name}/events HTTP/1.1\r\nHost: localhost\r\nLast-Event-ID: 0\r\n\r\n`,
  );
  let text = "";
  socket.setEncoding("utf8").on("data", (chunk) => {
    text += chunk.replaceAll(pad, "x");
    socket.pause();
    setTimeout(() => socket.resume(), 100);
  });
  socket.on("error", () => {});
  const body = Array.from({ length: 25 }, () => ({ data: pad }));
  for (let n = 0; n < 80; n += 1) await publish(name, body);
  const grown = engine.memory_kb() - before;
  // The stream itself keeps 16 MB; 120 MB went by.
  assert.ok(grown < 60_000, `${grown} kB more`);
  await wait_until(
    () => /^: [0-9]+ events are no longer buffered$/m.test(text) || socket.destroyed,
    () => "neither told nor let go",
    { ms: 60_000 },
  );
  socket.destroy();
  const { dropped, http } = (await send("GET", "/health")).json;
  assert.ok(
    dropped.named_stream_reader_events > 0 || http.streams_overflowed > 0,
    JSON.stringify(dropped),
  );
});

test("readers that come while their stream is deleted are let go", async () => {
  for (let round = 0; round < 40; round += 1) {
    const name = await create();
    const readers = [open(name), open(name), open(name)];
    const gone = send("DELETE", `/streams/${name}`);
    for (const reader of await Promise.all(readers))
      if (reader.status === 200)
        await within(reader.end, 5_000, () => `still open in round ${round}: ${reader.text}`);
    await gone;
    await create({}, name);
  }
});

test("many readers that come, fall behind and go leave no tap", async () => {
  const name = await create({ buffer_size: 20 });
  await publish(name, numbers(40));
  const readers = await Promise.all(
    Array.from({ length: 60 }, (_, n) => open(name, { id: String(n), query: `?topic=t${n % 4}` })),
  );
  await publish(name, numbers(40));
  await Promise.all(readers.map((reader) => reader.event(({ data }) => data === "40")));
  for (const reader of readers) {
    const got = shown(reader).map(({ id }) => number_of(id));
    assert.deepEqual(got, got.toSorted((a, b) => a - b));
    reader.drop();
  }
  await wait_until(
    async () => (await send("GET", "/health")).json.named_streams.taps === 0,
    () => "taps are left",
  );
});
