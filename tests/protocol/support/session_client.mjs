import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import { readFileSync } from "node:fs";
import net from "node:net";
import { join } from "node:path";

import { patience_ms, wait_until, within } from "./deadline.mjs";
import { http_request } from "./http.mjs";

// A script of the provider `scripted`: one answer for each argument.
export const script_of = (...calls) => ({
  calls: calls.map((call) => (Array.isArray(call) ? { steps: call } : call)),
});

// Steps that say these pieces, one every `delay_ms`.
export const spoken = (pieces, delay_ms = 0) => pieces.map((text) => ({ delay_ms, text }));

const owners = new Map(); // headers of who acts as the owner of the engine on a port

// From now on requests to this engine's sessions show its token, unless a test gives other headers.
export const act_as_owner = (engine, port) => {
  const token = readFileSync(join(engine.state_dir, "token"), "utf8").trim();
  owners.set(port, { authorization: `Bearer ${token}` });
};

// What shows the engine on a port who asks; nothing unless a test acts as its owner.
export const owner_headers = (port) => owners.get(port);

export const session_request = (port, method, path, body, headers) =>
  http_request(port, {
    method,
    path: `/sessions${path}`,
    body,
    headers: { ...owners.get(port), ...headers },
  });

export const create_session = async (port, more = {}, headers = {}) => {
  const answer = await session_request(
    port,
    "POST",
    "",
    { workspace_path: "/tmp", provider: "scripted", ...more },
    headers,
  );
  assert.equal(answer.status, 201, answer.text);
  return answer.json.session_id;
};

export const submit = async (port, id, content = "do it", headers = {}) => {
  const answer = await session_request(port, "POST", `/${id}/turns`, { content }, headers);
  assert.equal(answer.status, 202, answer.text);
  return answer.json.turn_id;
};

export const attach = async (port, id, headers = {}) => {
  const answer = await session_request(port, "GET", `/${id}`, undefined, headers);
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
};

// A subscribed client of a session's stream.
export class session_client {
  frames = [];
  #arrived = new EventEmitter().setMaxListeners(0);

  constructor(socket) {
    this.socket = socket;
    socket.addEventListener("message", ({ data }) => {
      this.frames.push(JSON.parse(data));
      this.#arrived.emit("frame");
    });
    this.closed = new Promise((resolve) =>
      socket.addEventListener("close", ({ code, reason }) => {
        this.close_code = code;
        this.#arrived.emit("frame");
        resolve({ code, reason });
      }),
    );
    socket.addEventListener("error", () => {});
  }

  send(frame) {
    this.socket.send(JSON.stringify(frame));
  }

  subscribe({ filter = "preset:full", since = null, snapshot = false } = {}) {
    this.send({ type: "subscribe", filter, since, snapshot });
  }

  cancel(turn_id, reason = "user_cancel") {
    this.send({ type: "cancel", turn_id, reason });
  }

  get events() {
    return this.frames.filter(({ type }) => type === "event").map(({ event }) => event);
  }

  get types() {
    return this.events.map(({ type }) => type);
  }

  of_type(type) {
    return this.events.filter((event) => event.type === type);
  }

  get last_id() {
    return this.events.at(-1)?.id;
  }

  // The first frame that `matches`; fails when the connection ends without it.
  async frame(matches, ms = patience_ms) {
    let next = 0;
    const search = async () => {
      for (;;) {
        for (; next < this.frames.length; ++next)
          if (matches(this.frames[next])) return this.frames[next];
        if (this.close_code !== undefined) throw new Error(`closed with ${this.close_code}`);
        await once(this.#arrived, "frame");
      }
    };
    return within(
      search(),
      ms,
      () => `last frames: ${JSON.stringify(this.frames.slice(-3)).slice(0, 900)}`,
    );
  }

  async event(type, more = () => true) {
    const frame = await this.frame((f) => f.type === "event" && f.event.type === type && more(f.event));
    return frame.event;
  }

  close() {
    this.socket.close();
    return this.closed;
  }
}

// Connects and waits until the handshake is done.
export const connect = async (port, id, url) => {
  const client = new session_client(new WebSocket(url ?? (await attach(port, id)).ws_url));
  await within(
    Promise.race([once(client.socket, "open"), client.closed]),
    patience_ms,
    () => "no handshake",
  );
  return client;
};

// A client that has got its acknowledgement.
export const watch = async (port, id, options, headers) => {
  const client = await connect(port, id, (await attach(port, id, headers)).ws_url);
  client.subscribe(options);
  await client.frame(({ type }) => type === "subscribe_ack");
  return client;
};

// The text of each message, once from its deltas and once from its end.
export const texts_of = (events) => {
  const written = new Map();
  const complete = new Map();
  for (const { type, payload } of events) {
    if (type === "text.delta")
      written.set(payload.message_id, (written.get(payload.message_id) ?? "") + payload.text);
    if (type === "message.complete")
      complete.set(
        payload.message_id,
        payload.final_content.map(({ text = "" }) => text).join(""),
      );
  }
  return { written, complete };
};

// A WebSocket made by hand, whose bytes the test decides.
export class raw_socket {
  bytes = Buffer.alloc(0);
  ended = false;

  constructor(socket) {
    this.socket = socket;
    socket.on("data", (chunk) => (this.bytes = Buffer.concat([this.bytes, chunk])));
    socket.on("error", () => {});
    socket.on("close", () => (this.ended = true));
  }

  get head() {
    const end = this.bytes.indexOf("\r\n\r\n");
    return end < 0 ? undefined : this.bytes.subarray(0, end).toString();
  }

  // Whole frames of the server so far: {opcode, payload}.
  get frames() {
    const out = [];
    let at = this.bytes.indexOf("\r\n\r\n") + 4;
    while (at + 2 <= this.bytes.length) {
      const short = this.bytes[at + 1];
      const size = short < 126 ? 2 : short === 126 ? 4 : 10;
      if (at + size > this.bytes.length) break;
      const length =
        short < 126
          ? short
          : short === 126
            ? this.bytes.readUInt16BE(at + 2)
            : Number(this.bytes.readBigUInt64BE(at + 2));
      if (at + size + length > this.bytes.length) break;
      out.push({
        opcode: this.bytes[at] & 15,
        payload: this.bytes.subarray(at + size, at + size + length),
      });
      at += size + length;
    }
    return out;
  }

  // The close frame: its code and reason.
  async close_frame(ms) {
    const found = await wait_until(
      () => this.frames.find(({ opcode }) => opcode === 8),
      () => `no close frame in ${this.bytes.length} bytes`,
      { ms },
    );
    return { code: found.payload.readUInt16BE(0), reason: found.payload.subarray(2).toString() };
  }

  send(bytes) {
    this.socket.write(bytes);
  }
}

export const handshake_lines = [
  "Upgrade: websocket",
  "Connection: Upgrade",
  "Sec-WebSocket-Version: 13",
  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
];

// Sends the handshake to that path and waits for the head of the answer.
export const open_raw = async (
  port,
  path,
  { lines = handshake_lines, host = "127.0.0.1", early = "" } = {},
) => {
  const socket = net.connect(port, "127.0.0.1");
  const client = new raw_socket(socket);
  socket.write(
    Buffer.concat([
      Buffer.from(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${lines.join("\r\n")}\r\n\r\n`),
      Buffer.from(early),
    ]),
  );
  await wait_until(
    () => client.head !== undefined || client.ended,
    () => "no answer to the handshake",
  );
  return client;
};

// A frame as clients send it; `shape` changes what makes it valid.
export const client_frame = (
  opcode,
  payload = "",
  { fin = true, masked = true, reserved = 0 } = {},
) => {
  const bytes = Buffer.from(payload);
  const mask = Buffer.from([0x37, 0xfa, 0x21, 0x3d]);
  const first = (fin ? 0x80 : 0) | reserved | opcode;
  const bit = masked ? 0x80 : 0;
  const head =
    bytes.length < 126
      ? Buffer.from([first, bit | bytes.length])
      : Buffer.from([first, bit | 126, bytes.length >> 8, bytes.length & 255]);
  if (!masked) return Buffer.concat([head, bytes]);
  return Buffer.concat([head, mask, bytes.map((byte, i) => byte ^ mask[i % 4])]);
};

// Fails unless the ids of the events rise, which also means that none came twice.
export const assert_rising = (events) => {
  for (let i = 1; i < events.length; ++i)
    assert.ok(events[i - 1].id < events[i].id, `${events[i - 1].id} before ${events[i].id}`);
};
