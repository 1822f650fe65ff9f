import { EventEmitter, once } from "node:events";
import http from "node:http";

import { patience_ms, within } from "./deadline.mjs";

// The number of an event of a named stream, which follows the life of the stream in its id.
export const number_of = (id) => Number(/^[0-9a-f]{8}-([0-9]+)$/.exec(id)[1]);

// The body of one response while it arrives: Server-Sent Events, or plain text.
export class response_stream {
  events = []; // {id, event, data, retry, message}, the fields that were there
  comments = [];
  text = "";
  closed = false;
  #arrived = new EventEmitter().setMaxListeners(0);
  #unread = "";
  #fields = {};

  constructor(request, response) {
    this.request = request;
    this.response = response;
    this.status = response.statusCode;
    this.headers = response.headers;
    this.is_events = (this.headers["content-type"] ?? "").startsWith("text/event-stream");
    response.setEncoding("utf8");
    response.on("data", (chunk) => this.#take(chunk));
    response.on("error", () => {});
    this.end = new Promise((resolve) =>
      response.on("close", () => {
        this.closed = true;
        this.complete = response.complete;
        this.#arrived.emit("news");
        resolve();
      }),
    );
  }

  #take(chunk) {
    this.text += chunk;
    if (!this.is_events) return;
    const lines = (this.#unread + chunk).split(/\r\n|\n/);
    this.#unread = lines.pop();
    for (const line of lines) this.#take_line(line);
    this.#arrived.emit("news");
  }

  #take_line(line) {
    if (line === "") return this.#dispatch();
    if (line.startsWith(":")) return this.comments.push({ text: line, at: performance.now() });
    const [, name, value] = /^([^:]+)(?:: ?(.*))?$/.exec(line);
    const before = this.#fields[name];
    this.#fields[name] =
      name === "data" && before !== undefined ? `${before}\n${value}` : (value ?? "");
  }

  #dispatch() {
    if (Object.keys(this.#fields).length === 0) return;
    const { data } = this.#fields;
    this.events.push({ ...this.#fields, message: data?.startsWith("{") ? JSON.parse(data) : null });
    this.#fields = {};
  }

  // Every JSON-RPC message so far.
  get messages() {
    return this.events.flatMap(({ message }) => (message ? [message] : []));
  }

  // The first of `list()` that `matches`; fails when the stream ends without it.
  async #first(list, matches, ms) {
    const search = async () => {
      for (;;) {
        const found = list().find(matches);
        if (found !== undefined) return found;
        if (this.closed) throw new Error(`the stream ended: ${this.text.slice(-900)}`);
        await once(this.#arrived, "news");
      }
    };
    return within(search(), ms, () => `last bytes: ${this.text.slice(-900)}`);
  }

  event(matches, ms = patience_ms) {
    return this.#first(() => this.events, matches, ms);
  }

  message(matches, ms = patience_ms) {
    return this.#first(() => this.messages, matches, ms);
  }

  answer(id, ms) {
    return this.message((m) => m.id === id && !("method" in m), ms);
  }

  comment(count, ms = patience_ms) {
    return this.#first(
      () => this.comments.slice(count - 1),
      () => true,
      ms,
    );
  }

  async ended(ms = patience_ms) {
    await within(this.end, ms, () => `still open: ${this.text.slice(-300)}`);
  }

  // Goes away without a word, as a client that crashed.
  drop() {
    this.request.destroy();
  }
}

// Sends one request and gives its response as soon as the head is there.
export const open_stream = (
  port,
  { method = "GET", path = "/mcp", headers = {}, body, agent = false } = {},
) =>
  within(
    new Promise((resolve, reject) => {
      const bytes =
        body === undefined
          ? undefined
          : Buffer.from(
              typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body),
            );
      const request = http.request(
        {
          host: "127.0.0.1",
          port,
          method,
          path,
          agent,
          headers: {
            ...(bytes && { "content-type": "application/json", "content-length": bytes.length }),
            ...headers,
          },
        },
        (response) => resolve(new response_stream(request, response)),
      );
      request.on("error", reject);
      request.end(bytes);
    }),
    patience_ms,
    () => `no response to ${method} ${path}`,
  );
