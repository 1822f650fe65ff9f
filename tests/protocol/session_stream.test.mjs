// The stream of agent sessions over a real WebSocket: order, seam, cancellation, slow and hostile
// clients, heartbeats, and `gasoline tail session`.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import path from "node:path";
import { setTimeout as rest } from "node:timers/promises";
import { after, before, test } from "node:test";

import { start_daemon, with_daemon } from "./support/daemon.mjs";
import { bound, patience_ms, wait_until, within } from "./support/deadline.mjs";
import { binary, clean_environment, temporary_directory } from "./support/engine.mjs";
import { http_request } from "./support/http.mjs";
import {
  assert_rising,
  attach,
  client_frame,
  connect,
  create_session,
  handshake_lines,
  open_raw,
  script_of,
  session_request,
  spoken,
  submit,
  texts_of,
  watch,
} from "./support/session_client.mjs";

let engine;
let port;

before(async () => {
  engine = start_daemon();
  port = await engine.port();
});
after(() => engine.stop());

const words = (count, width = 1) =>
  Array.from({ length: count }, (_, i) => `${String(i).repeat(width)} `);

const stream_path = async (id) => {
  const { attach_token } = await attach(port, id);
  return `/sessions/${id}/stream?attach=${attach_token}`;
};

test("a turn comes in canonical order, and its deltas make up its message", async () => {
  const id = await create_session(port, {
    script: script_of([{ thinking: "hm" }, { text: "one " }, { text: "two" }]),
  });
  const client = await watch(port, id, { filter: "preset:chat" });
  const turn = await submit(port, id);
  await client.event("turn.completed");
  const shape = client.types.filter((type, i, all) => type !== all[i - 1]);
  assert.deepEqual(shape, [
    "turn.started",
    "route.decided",
    "llm.call_started",
    "message.start",
    "thinking.delta",
    "text.delta",
    "message.complete",
    "llm.call_completed",
    "turn.completed",
  ]);
  for (const event of client.events) {
    assert.equal(event.session_id, id);
    assert.equal(event.turn_id, turn);
    assert.match(event.id, /^evt_/);
    assert.ok(Date.parse(event.timestamp) > 0);
  }
  assert_rising(client.events);
  const { written, complete } = texts_of(client.events);
  assert.deepEqual([...written.values()], ["one two"]);
  assert.match([...complete.values()][0], /one two$/);
  await client.close();
});

test("the token opens one stream once; nothing else opens one", async () => {
  const id = await create_session(port);
  const used = await stream_path(id);
  const first = await open_raw(port, used);
  assert.match(first.head, /^HTTP\/1\.1 101 /);
  assert.match(first.head, /Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK\+xOo=/);
  first.socket.destroy();
  const status_of = async (where, options) => {
    const { head, socket } = await open_raw(port, where, options);
    socket.destroy();
    return Number(head.split(" ")[1]);
  };
  assert.equal(await status_of(used), 401, "used");
  assert.equal(await status_of(`/sessions/${id}/stream`), 401);
  assert.equal(await status_of(`/sessions/${id}/stream?attach=atk_00000000000000000000000000`), 401);
  assert.equal(await status_of("/sessions/sess_none/stream?attach=x"), 404);
  const other = await create_session(port);
  const foreign = (await stream_path(id)).replace(id, other);
  assert.equal(await status_of(foreign), 401, "a token of another session");
  const fresh = await stream_path(id);
  assert.equal(await status_of(fresh, { lines: ["Connection: close"] }), 426);
  const lines = [...handshake_lines, "Origin: https://example.com"];
  assert.equal(await status_of(fresh, { lines }), 403);
  assert.equal(await status_of(fresh, { host: "example.com" }), 403);
  assert.equal(await status_of(fresh, { lines: handshake_lines.slice(0, 3) }), 400);
  assert.equal(await status_of(fresh), 101, "refused requests use no token up");
});

test("presets are expanded, filters are strict, a refused client may ask again", async () => {
  const client = await connect(port, await create_session(port));
  for (const filter of [
    "preset:none",
    { event_types: ["made.up.thing"] },
    { event_types: "text.delta" },
    7,
  ]) {
    const told = client.frames.length;
    client.subscribe({ filter });
    await client.frame(() => client.frames.length > told);
    assert.equal(client.frames.at(-1).type, "subscribe_error");
    assert.equal(client.frames.at(-1).code, "invalid_filter");
  }
  client.subscribe({ filter: { event_types: ["text.delta"], actors: null } });
  const ack = await client.frame(({ type }) => type === "subscribe_ack");
  assert.deepEqual(ack.resolved_filter.event_types, ["text.delta"]);
  assert.equal(ack.replay_event_count, 0);
  await client.close();
});

test("an event of a type outside the catalog passes", async () => {
  const id = await create_session(port, {
    script: script_of([{ text: "a" }, { event: { type: "made.up", payload: { n: 1 } } }]),
  });
  const client = await watch(port, id);
  await submit(port, id);
  assert.deepEqual((await client.event("made.up")).payload, { n: 1 });
  await client.event("turn.completed");
  await client.close();
});

test("a snapshot and what follows it meet without gap or repeat", async () => {
  const id = await create_session(port, { script: script_of(spoken(words(400), 2)) });
  const whole = await watch(port, id);
  await submit(port, id);
  await whole.event("text.delta");
  const late = await connect(port, id);
  late.subscribe({ snapshot: true });
  await Promise.all([whole, late].map((client) => client.event("turn.completed")));
  const { snapshot_at_event_id, messages } = late.frames.find(({ type }) => type === "snapshot");
  assert.deepEqual(
    messages.map(({ role }) => role),
    ["user"],
  );
  assert_rising(late.events);
  assert.deepEqual(
    late.events.map((event) => event.id),
    whole.events.map((event) => event.id).filter((event_id) => event_id > snapshot_at_event_id),
  );
  const { written, complete } = texts_of(late.events);
  assert.deepEqual([...written], [...complete]);
  await Promise.all([whole.close(), late.close()]);
});

// A client that loses its connection again and again and comes back with its cursor.
const unsteady_client = async (id, seed, until) => {
  const events = [];
  let state = seed;
  const random = (n) => (state = (state * 48271) % 2147483647) % n;
  let cuts = 0;
  let since = null;
  while (!until(events)) {
    const client = await watch(port, id, { since });
    const cut_after = 1 + random(60);
    await Promise.race([
      client.frame(() => client.events.length >= cut_after || until(client.events)),
      client.closed,
    ]);
    cuts += 1;
    // Cut without a word half of the time: what is under way is lost.
    if (random(2) === 0) client.socket.close();
    const arrived = client.events;
    events.push(...arrived);
    since = arrived.at(-1)?.id ?? since;
    client.socket.close();
    await client.closed;
  }
  return { events, cuts };
};

test("clients whose connections are cut at random under load miss nothing", async () => {
  const id = await create_session(port, {
    script: script_of(
      ...Array.from({ length: 3 }, () => [
        ...spoken(words(300), 1),
        { thinking: "and now" },
        ...spoken(words(50), 1),
      ]),
    ),
  });
  const steady = await watch(port, id);
  const turns = 3;
  let last_turn = "none yet";
  const clients = Array.from({ length: 6 }, (_, i) =>
    unsteady_client(id, 1000 + i * 7919, (events) =>
      events.some(({ type, turn_id }) => type === "turn.completed" && turn_id === last_turn),
    ),
  );
  await steady.frame(({ type }) => type === "subscribe_ack");
  await rest(50); // the unsteady ones have no cursor before their first event
  for (let i = 0; i < turns; ++i) {
    const turn = await submit(port, id);
    if (i === turns - 1) last_turn = turn;
    await steady.event("turn.completed", (event) => event.turn_id === turn);
  }
  const wanted = steady.events.filter(({ type }) => !type.startsWith("bus."));
  const all_texts = texts_of(wanted);
  assert.deepEqual([...all_texts.written], [...all_texts.complete].map(([m]) => [m, all_texts.written.get(m)]));
  for (const { events, cuts } of await Promise.all(clients)) {
    assert.ok(cuts > 1);
    assert_rising(events);
    const ids = new Set(events.map((event) => event.id));
    const begun = events[0].id;
    for (const event of wanted)
      // Of messages that ended while a client was away it gets the end, not the deltas.
      if (event.id >= begun && !/delta|use_/.test(event.type))
        assert.ok(ids.has(event.id), `${event.type} ${event.id} is missing`);
    const { complete } = texts_of(events);
    for (const [message, text] of all_texts.complete)
      assert.equal(complete.get(message), text, "the message's end says all of it");
  }
  await steady.close();
});

test("a cancel ends the turn for every client alike; a second one changes nothing", async () => {
  const id = await create_session(port, { script: script_of(spoken(words(10_000), 1)) });
  const [one, two] = [await watch(port, id), await watch(port, id)];
  const turn = await submit(port, id);
  await two.event("text.delta");
  one.cancel(turn);
  one.cancel(turn);
  await Promise.all([one, two].map((client) => client.event("turn.cancelled")));
  const tail = one.types.slice(one.types.indexOf("message.complete"));
  assert.deepEqual(
    tail.filter((type) => !type.startsWith("bus.")),
    ["message.complete", "llm.call_failed", "turn.cancelled"],
  );
  const [complete] = one.of_type("message.complete");
  assert.equal(complete.payload.stop_reason, "cancelled");
  assert.equal(one.of_type("llm.call_failed")[0].payload.error_class, "cancelled");
  assert.equal(one.of_type("turn.cancelled")[0].payload.reason, "user_cancel");
  assert.deepEqual(
    two.events.map((event) => event.id).slice(-3),
    one.events.map((event) => event.id).slice(-3),
  );
  const { written, complete: ends } = texts_of(one.events);
  assert.deepEqual([...written], [...ends]);
  await Promise.all([one.close(), two.close()]);
});

test("a client that does not read is closed with 1008; the others notice nothing", async () => {
  const id = await create_session(port, {
    script: script_of(spoken(words(1_500, 40), 2)),
  });
  const steady = await watch(port, id);
  const stalled = await open_raw(port, await stream_path(id));
  stalled.send(
    client_frame(1, '{"type":"subscribe","filter":"preset:full","since":null,"snapshot":false}'),
  );
  await wait_until(
    () => stalled.frames.length > 0,
    () => "no acknowledgement",
  );
  stalled.socket.pause();
  await submit(port, id);
  const warning = await steady.event("bus.handler_warning");
  assert.equal(warning.payload.code, "client_too_slow");
  await steady.event("turn.completed");
  stalled.socket.resume();
  const { code, reason } = await stalled.close_frame();
  assert.equal(code, 1008);
  assert.deepEqual(JSON.parse(reason), {
    code: "client_too_slow",
    message: "Outbound queue overflowed; reconnect with replay.",
  });
  const { written, complete } = texts_of(steady.events);
  assert.deepEqual([...written], [...complete]);
  // What it had got by then is a cursor from which it misses nothing.
  const got = stalled.frames
    .filter(({ opcode }) => opcode === 1)
    .map(({ payload }) => JSON.parse(payload))
    .filter(({ type }) => type === "event");
  stalled.socket.destroy();
  const back = await watch(port, id, { since: got.at(-1).event.id });
  await back.event("turn.completed");
  assert.ok(texts_of(back.events).complete.size === 1);
  await Promise.all([steady.close(), back.close()]);
});

test("hostile frames end their own connection, with the code that says why", async () => {
  const id = await create_session(port);
  const code_for = async (bytes) => {
    const client = await open_raw(port, await stream_path(id));
    client.send(bytes);
    const { code, reason } = await client.close_frame();
    assert.match(reason, /\w/);
    client.socket.destroy();
    return code;
  };
  const euro = Buffer.from("€");
  assert.equal(await code_for(client_frame(1, "{}", { masked: false })), 1002);
  assert.equal(await code_for(client_frame(1, "{}", { reserved: 0x40 })), 1002, "compressed");
  assert.equal(await code_for(client_frame(3, "{}")), 1002);
  assert.equal(await code_for(client_frame(11, "")), 1002);
  assert.equal(await code_for(client_frame(0, "{}")), 1002);
  assert.equal(await code_for(client_frame(9, "x".repeat(126))), 1002);
  assert.equal(await code_for(client_frame(9, "", { fin: false })), 1002);
  assert.equal(await code_for(client_frame(2, "{}")), 1003);
  assert.equal(await code_for(client_frame(1, Buffer.from([0xff]))), 1007);
  assert.equal(
    await code_for(
      Buffer.concat([
        client_frame(1, euro.subarray(0, 1), { fin: false }),
        client_frame(0, Buffer.from("x")),
      ]),
    ),
    1007,
  );
  const huge = Buffer.alloc(14, 0x81);
  huge[1] = 0xff;
  huge.writeBigUInt64BE(100n << 20n, 2);
  assert.equal(await code_for(huge), 1009);
  assert.equal(await code_for(client_frame(1, "no json")), 1008);
  assert.equal(await code_for(client_frame(8, Buffer.from([0x03]))), 1002);
  const polite = await open_raw(port, await stream_path(id));
  polite.send(
    Buffer.concat([
      client_frame(1, '{"type":"pi', { fin: false }),
      client_frame(9, "between"),
      client_frame(0, 'ng","nonce":"n1"}'),
      client_frame(8, Buffer.from([0x03, 0xe8])),
    ]),
  );
  const { code } = await polite.close_frame();
  assert.equal(code, 1000);
  assert.equal(polite.frames[0].opcode, 10);
  assert.equal(polite.frames[0].payload.toString(), "between");
  await wait_until(
    () => polite.ended,
    () => "the server does not end the connection",
  );
});

test("a flood of pings, and sockets that vanish, cost nobody anything", async () => {
  const id = await create_session(port, { script: script_of(spoken(words(50), 1)) });
  const steady = await watch(port, id);
  const flood = Buffer.concat(Array.from({ length: 20_000 }, () => client_frame(9, "x")));
  const flooders = await Promise.all(
    Array.from({ length: 4 }, async () => open_raw(port, await stream_path(id))),
  );
  for (const { socket } of flooders) {
    socket.pause();
    for (let i = 0; i < 20; ++i) socket.write(flood);
  }
  const asked = performance.now();
  await submit(port, id);
  await steady.event("turn.completed");
  assert.ok(performance.now() - asked < bound(3_000));
  for (const { socket } of flooders) socket.resetAndDestroy();
  for (let i = 0; i < 30; ++i) (await open_raw(port, await stream_path(id))).socket.resetAndDestroy();
  const connections = async () =>
    (await http_request(port, { path: "/health" })).json.http.connections;
  await wait_until(
    async () => (await connections()) <= 3,
    () => "connections stay open",
    { every: 50 },
  );
  await steady.close();
});

test("an idle client is pinged, and closed when it does not answer", async () => {
  await with_daemon(
    async (_, quick_port) => {
      const id = await create_session(quick_port);
      const good = await watch(quick_port, id);
      const answered = setInterval(() => {
        for (const frame of good.frames.splice(0))
          if (frame.type === "ping") good.send({ type: "pong", nonce: frame.nonce });
      }, 5);
      const bad = await watch(quick_port, id);
      const { code, reason } = await bad.closed;
      assert.equal(code, 1001);
      assert.equal(JSON.parse(reason).code, "heartbeat_timeout");
      assert.equal(bad.frames.filter(({ type }) => type === "ping").length, 3);
      assert.equal(good.close_code, undefined);
      good.send({ type: "ping", nonce: "mine" });
      clearInterval(answered);
      await good.frame(({ type, nonce }) => type === "pong" && nonce === "mine");
      await good.close();
    },
    { config: { limits: { session_ping_ms: 250 } } },
  );
});

test("an idle client costs at most 32 KB", async () => {
  const id = await create_session(port);
  const warm = await watch(port, id);
  const idle = 300;
  const before = engine.memory_kb();
  const clients = [];
  for (let i = 0; i < idle; ++i) clients.push(await watch(port, id));
  const each = (engine.memory_kb() - before) / idle;
  assert.ok(each <= 32, `${each} KB`);
  await Promise.all([warm, ...clients].map((client) => client.close()));
});

const command = (state_dir, ...args) => {
  const child = spawn(binary, [...args, "--state-dir", state_dir], {
    env: clean_environment(state_dir),
  });
  const run = { child, text: "", errors: "" };
  child.stdout.on("data", (chunk) => (run.text += chunk));
  child.stderr.on("data", (chunk) => (run.errors += chunk));
  run.end = new Promise((resolve) =>
    child.on("close", (code, signal) => resolve({ code, signal })),
  );
  run.says = (part) =>
    wait_until(
      () => run.text.includes(part),
      () => `no "${part}" in: ${run.text} ${run.errors}`,
    );
  return run;
};

test("gasoline tail session streams, starts a turn, survives a restart of the engine", async () => {
  const state_dir = temporary_directory();
  let running = start_daemon({ state_dir });
  const running_port = await running.port();
  const id = await create_session(running_port, {
    script: script_of(spoken(["first answer"]), spoken(["second answer"])),
  });
  const text = command(state_dir, "tail", "session", id);
  await text.says(`session ${id}`);
  const json = command(state_dir, "tail", "session", id, "--json", "--submit", "hello");
  await text.says("first answer");
  await text.says("turn completed");
  assert.match(text.text, /> hello/);
  assert.ok(!text.text.includes("\x1b"), "no colours but on a terminal");
  await json.says("turn.completed");
  running.child.kill("SIGKILL");
  await running.exited;
  rmSync(path.join(state_dir, "port")); // of the one that was killed
  running = start_daemon({ state_dir, port: running_port });
  await running.port();
  await wait_until(
    async () =>
      (await http_request(running_port, { path: "/health" })).json.sessions.clients_opened >= 2,
    () => "the tails do not come back",
    { every: 50 },
  );
  await submit(running_port, id, "again");
  await text.says("second answer");
  await wait_until(
    () => json.text.split("turn.completed").length >= 3,
    () => json.text.slice(-500),
  );
  const lines = json.text.trim().split("\n");
  const events = lines.map((line) => JSON.parse(line));
  assert_rising(events);
  assert.deepEqual([...texts_of(events).complete.values()], ["first answer", "second answer"]);
  json.child.kill("SIGINT");
  assert.deepEqual(await json.end, { code: 0, signal: null });
  await session_request(running_port, "DELETE", `/${id}`);
  const ended = await within(text.end, patience_ms, () => "tail outlives its session");
  assert.equal(ended.code, 0);
  assert.match(text.errors, /deleted/);
  await running.stop();
  const gone = command(state_dir, "tail", "session", id);
  assert.equal((await gone.end).code, 1);
  assert.match(gone.errors, /No engine runs/);
});

test("gasoline tail session says when there is no such session", async () => {
  const run = command(engine.state_dir, "tail", "session", "sess_none");
  assert.equal((await run.end).code, 1);
  assert.match(run.errors, /There is no session sess_none/);
});
