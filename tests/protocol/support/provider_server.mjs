// What the fakes of model providers share: an HTTP server that writes its answers byte by byte as
// the test says, with every fault that a network has.
import { once } from "node:events";
import http from "node:http";
import { setTimeout as pause } from "node:timers/promises";

const phrases = { 200: "OK", 400: "Bad Request", 401: "Unauthorized", 429: "Too Many Requests" };

const head_of = ({ status, headers }) =>
  [
    `HTTP/1.1 ${status} ${phrases[status] ?? "Some Status"}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    "\r\n",
  ].join("\r\n");

const chunk_of = (bytes) =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from("\r\n")]);

// The bytes of an answer whose body is a list of texts or Buffers, each a chunk of its own. An
// answer that is not `whole` lacks the last chunk, which says that the body has ended.
export const streamed = (parts, { status = 200, headers = {}, whole = true } = {}) =>
  Buffer.concat([
    Buffer.from(
      head_of({
        status,
        headers: {
          "content-type": "text/event-stream; charset=utf-8",
          "transfer-encoding": "chunked",
          connection: "close",
          ...headers,
        },
      }),
    ),
    ...parts.map((part) => chunk_of(Buffer.from(part))),
    Buffer.from(whole ? "0\r\n\r\n" : ""),
  ]);

// The bytes of an answer with a JSON body.
export const refused = (status, document, headers = {}) => {
  const body = Buffer.from(JSON.stringify(document));
  const all = {
    "content-type": "application/json",
    "content-length": body.length,
    connection: "close",
    ...headers,
  };
  return Buffer.concat([Buffer.from(head_of({ status, headers: all })), body]);
};

// How the bytes of an answer are cut into writes.
export const each_byte = (bytes) => Array.from(bytes, (_, n) => bytes.subarray(n, n + 1));
export const cut_at = (position) => (bytes) =>
  [bytes.subarray(0, position), bytes.subarray(position)].filter(({ length }) => length > 0);
const in_one = (bytes) => [bytes];

// A server of model calls. `answer(request, nth)` gives what is answered: `bytes`, how they are
// `cut`, and the `end`: "close" in order, "reset", or "hang" with the connection open.
export class provider_server {
  requests = []; // {path, headers, body, closed}
  answer = undefined;
  #server;
  #sockets = new Set();

  async listen() {
    this.#server = http.createServer((request, response) => this.#take(request, response.socket));
    this.#server.on("connection", (socket) => {
      this.#sockets.add(socket);
      socket.setNoDelay(true);
      socket.on("error", () => {});
      socket.on("close", () => this.#sockets.delete(socket));
    });
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    this.port = this.#server.address().port;
    return this;
  }

  get origin() {
    return `http://127.0.0.1:${this.port}`;
  }

  async #take(request, socket) {
    const parts = [];
    for await (const part of request) parts.push(part);
    const taken = {
      method: request.method,
      path: request.url,
      headers: request.headers,
      body: JSON.parse(Buffer.concat(parts)),
      closed: false, // by the client or by us
    };
    socket.on("close", () => (taken.closed = true));
    this.requests.push(taken);
    await this.#write(socket, this.answer(taken, this.requests.length - 1));
  }

  // Pauses, so that pieces mostly arrive alone; nothing is wrong when two of them do not.
  async #write(socket, { bytes, cut = in_one, end = "close" }) {
    const pieces = cut(bytes);
    for (const piece of pieces) {
      if (socket.destroyed) return;
      socket.write(piece);
      if (pieces.length > 2) await new Promise(setImmediate);
      else if (pieces.length > 1) await pause(1);
    }
    if (end === "close") socket.end();
    else if (end === "reset") socket.resetAndDestroy();
  }

  async close() {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, "close");
  }
}
