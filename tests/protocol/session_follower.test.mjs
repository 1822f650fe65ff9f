// The shell of the JavaScript session client, with sockets and answers that the test plays: what it
// passes on, and that nothing late reaches it.
import assert from "node:assert/strict";
import { createServer } from "node:net";
import { test } from "node:test";

import { follow_session } from "../../tools/page_script/session_client/session_follower.mjs";
import { wait_until } from "./support/deadline.mjs";

class fake_socket {
  sent = [];
  closed_with = undefined;

  constructor(url) {
    this.url = url;
  }

  send(text) {
    this.sent.push(JSON.parse(text));
  }

  close(code) {
    this.closed_with = code;
  }

  receive(frame) {
    this.onmessage({ data: JSON.stringify(frame) });
  }
}

const answer_of = (status, body, headers = {}) =>
  new Response(JSON.stringify(body), { status, headers });

// A follower in a world where each GET waits until the test answers it.
class fake_world {
  sockets = [];
  requests = [];
  heard = [];

  constructor(t, options = {}) {
    const world = this;
    // A follower that nobody stops goes on for ever.
    t.after(() => this.follower.stop());
    this.follower = follow_session({
      base_url: "http://127.0.0.1:7890",
      session_id: "sess_a/b",
      settings: { first_delay_ms: 2, max_delay_ms: 2, ...options.settings },
      headers: { authorization: "Bearer t" },
      fetch: (url, { headers, signal }) =>
        new Promise((resolve, reject) => {
          this.requests.push({ url, headers, signal, resolve });
          signal.addEventListener("abort", () => reject(signal.reason));
        }),
      WebSocket: class extends fake_socket {
        constructor(url) {
          super(url);
          world.sockets.push(this);
        }
      },
      on_event: ({ type }) => this.heard.push(type),
      on_frame: ({ type }) => this.heard.push(`frame ${type}`),
      on_reset: () => this.heard.push("reset"),
      on_end: ({ code }) => this.heard.push(`end ${code}`),
    });
  }

  // The next GET, once it has been asked.
  async request() {
    await wait_until(
      () => this.requests.length > 0,
      () => `no request; ${this.follower.state}`,
    );
    return this.requests.shift();
  }

  async attach(answer = answer_of(200, { ws_url: `ws://h/${this.sockets.length}` })) {
    const { resolve } = await this.request();
    const before = this.sockets.length;
    resolve(answer);
    await wait_until(
      () => this.sockets.length > before,
      () => `no socket; ${this.follower.state}`,
    );
    return this.sockets.at(-1);
  }

  async open() {
    const socket = await this.attach();
    socket.onopen();
    socket.receive({ type: "subscribe_ack" });
    socket.receive({ type: "snapshot", session: {}, messages: [], snapshot_at_event_id: "evt_1" });
    return socket;
  }
}

const event = (id, type = "made.up.thing") => ({ type: "event", event: { id, type, payload: {} } });

test("attaches with the given headers, subscribes, passes on what comes", async (t) => {
  const world = new fake_world(t);
  const [{ url, headers }] = world.requests;
  assert.equal(url, "http://127.0.0.1:7890/sessions/sess_a%2Fb");
  assert.deepEqual(headers, { authorization: "Bearer t" });
  const socket = await world.open();
  assert.equal(socket.url, "ws://h/0");
  assert.deepEqual(socket.sent, [
    { type: "subscribe", filter: "preset:chat", since: null, snapshot: true },
  ]);
  socket.receive(event("evt_2"));
  socket.receive({ type: "frame.of.tomorrow" });
  world.follower.cancel("turn_1");
  assert.deepEqual(socket.sent.at(-1), {
    type: "cancel",
    turn_id: "turn_1",
    reason: "user_cancel",
  });
  world.follower.stop();
  assert.equal(socket.closed_with, 1000);
  assert.deepEqual(world.heard, [
    "reset",
    "made.up.thing",
    "frame frame.of.tomorrow",
    "end stopped",
  ]);
});

test("late words of a socket that was given up reach nobody", async (t) => {
  const world = new fake_world(t, { settings: { ping_after_ms: 5, pong_ms: 5 } });
  const first = await world.open();
  await wait_until(
    () => first.closed_with === 4000,
    () => "not given up",
  );
  assert.equal(first.sent.at(-1).type, "ping");
  const second = await world.attach();
  first.receive(event("evt_9"));
  first.onclose({ code: 1000, reason: "" });
  assert.notEqual(world.follower.state, "ended");
  second.onopen();
  assert.equal(second.sent[0].since, "evt_1");
  assert.ok(!world.heard.includes("made.up.thing"));
});

test("a server that refuses is asked again when it says, others soon", async (t) => {
  const world = new fake_world(t);
  (await world.request()).resolve(answer_of(503, {}, { "retry-after": "0.05" }));
  await wait_until(
    () => world.follower.state === "waiting",
    () => world.follower.state,
  );
  assert.ok(world.follower.stream.deadline - performance.now() > 10);
  (await world.request()).resolve(new Response("no JSON", { status: 200 }));
  (await world.open()).onclose({ code: 1006, reason: "" });
  await world.open();
});

// Node.js says `error` of a connection that could not be made, and with some releases no `close`.
test("a connection that is reset while it is made is made again", async (t) => {
  let resets = 0;
  const server = createServer((socket) => {
    resets += 1;
    socket.resetAndDestroy();
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const follower = follow_session({
    base_url: "http://127.0.0.1",
    session_id: "sess_1",
    settings: { first_delay_ms: 2, max_delay_ms: 2 },
    fetch: async () => answer_of(200, { ws_url: `ws://127.0.0.1:${server.address().port}/` }),
  });
  t.after(() => {
    follower.stop();
    server.close();
  });
  await wait_until(
    () => resets >= 3,
    () => `${resets} connections; ${follower.state}`,
    { ms: 8_000 }, // less than the time that connecting may take
  );
});

test("stopping while it asks gives the question up", async (t) => {
  const world = new fake_world(t);
  const { signal, resolve } = await world.request();
  world.follower.stop();
  assert.equal(signal.aborted, true);
  resolve(answer_of(200, { ws_url: "ws://h/late" }));
  await new Promise(setImmediate);
  assert.deepEqual(world.sockets, []);
  assert.deepEqual(world.heard, ["end stopped"]);
});

test("an attempt without an answer is given up", async (t) => {
  const world = new fake_world(t, { settings: { connect_ms: 5 } });
  const { signal } = await world.request();
  await wait_until(
    () => signal.aborted,
    () => world.follower.state,
  );
  await world.request();
});
