// Follows an agent session live on real sockets, for web pages and Node.js alike, without
// dependencies.

import { parse_object } from "./json_objects.mjs";
import { session_stream } from "./session_stream.mjs";

export { text_of } from "./session_view.mjs";

const retry_after_ms = (headers) => {
  const seconds = Number(headers.get("retry-after") ?? 0);
  return Number.isFinite(seconds) ? seconds * 1_000 : 0;
};

const connecting = 0; // a WebSocket's readyState

// Runs a `session_stream` on a WebSocket class and a fetch function.
class session_follower {
  #options;
  #stream;
  #socket = null;
  #asking = null; // AbortController of the GET under way
  #timer = null;
  #timer_at = Infinity;

  constructor(options) {
    this.#options = options;
    this.#stream = new session_stream(options);
    this.#run(this.#stream.start(this.#now()));
  }

  get view() {
    return this.#stream.view;
  }

  get state() {
    return this.#stream.state;
  }

  get stream() {
    return this.#stream;
  }

  cancel(turn_id, reason) {
    this.#run(this.#stream.cancel(turn_id, reason));
  }

  retry_now() {
    this.#run(this.#stream.retry_now(this.#now()));
  }

  stop() {
    this.#run(this.#stream.stop());
  }

  #now() {
    return performance.now();
  }

  #run(actions) {
    try {
      for (const action of actions) this.#act(action);
    } finally {
      // Whatever a callback throws, the next attempt has its time.
      if (this.#stream.state !== "attaching") this.#stop_asking();
      this.#set_timer();
    }
    this.#options.on_change?.(this.view, this.#stream);
  }

  #act({ attach, connect, send, close, event, frame, reset, end }) {
    if (attach) this.#attach(attach);
    else if (connect) this.#connect(connect);
    else if (send) this.#socket?.send(JSON.stringify(send));
    else if (close) this.#drop(close);
    else if (event) this.#options.on_event?.(event);
    else if (frame) this.#options.on_frame?.(frame);
    else if (reset) this.#options.on_reset?.();
    else if (end) this.#options.on_end?.(end);
  }

  async #attach(session_id) {
    this.#stop_asking();
    const asking = (this.#asking = new AbortController());
    const answer = await this.#ask(session_id, asking.signal).catch(() => undefined);
    if (asking !== this.#asking) return;
    this.#asking = null;
    this.#run(this.#stream.attached(answer, this.#now()));
  }

  async #ask(session_id, signal) {
    const { base_url, headers, fetch = globalThis.fetch } = this.#options;
    const url = `${base_url}/sessions/${encodeURIComponent(session_id)}`;
    const answer = await fetch(url, { headers, signal, cache: "no-store" });
    const body = parse_object(await answer.text());
    return { status: answer.status, body, retry_after_ms: retry_after_ms(answer.headers) };
  }

  #stop_asking() {
    this.#asking?.abort();
    this.#asking = null;
  }

  #connect(url) {
    const socket = (this.#socket = this.#open(url));
    if (!socket) return;
    // Late words of a socket that was given up must not reach the next connection.
    const when_current = (take) => (argument) => {
      if (socket === this.#socket) this.#run(take(argument));
    };
    socket.onopen = when_current(() => this.#stream.opened());
    socket.onmessage = when_current(({ data }) => this.#stream.received(data, this.#now()));
    socket.onclose = when_current(({ code, reason }) => {
      this.#socket = null;
      return this.#stream.closed({ code, reason }, this.#now());
    });
    // `close` follows and says as much as there is to know; but with some releases of Node.js nothing
    // follows when no connection was made.
    socket.onerror = when_current(() => {
      if (socket.readyState !== connecting) return [];
      this.#socket = null;
      return this.#stream.closed({ code: 1006, reason: "" }, this.#now());
    });
  }

  // A browser that does not allow this connection throws; that is a connection that was not made.
  #open(url) {
    const { WebSocket = globalThis.WebSocket } = this.#options;
    try {
      return new WebSocket(url);
    } catch ({ message }) {
      this.#run(this.#stream.closed({ code: 1006, reason: message }, this.#now()));
      return null;
    }
  }

  #drop(code) {
    const socket = this.#socket;
    this.#socket = null;
    socket?.close(code);
  }

  // Deadlines mostly move on with each frame, so a timer that is early looks again instead.
  #set_timer() {
    const { deadline } = this.#stream;
    if (deadline !== null && deadline >= this.#timer_at) return;
    clearTimeout(this.#timer);
    this.#timer_at = deadline ?? Infinity;
    if (deadline === null) return;
    this.#timer = setTimeout(() => {
      this.#timer_at = Infinity;
      this.#run(this.#stream.tick(this.#now()));
    }, deadline - this.#now());
  }
}

// Follows a session until `stop()` or its end. Options: those of `session_stream`, `base_url` of
// the engine, `headers` for its routes, `WebSocket` and `fetch` where they are not global, and what
// to call: `on_change(view, stream)` after anything, `on_event(event)`, `on_frame(frame)` with
// frames of unknown types, `on_reset()` when the view has started anew, `on_end({code, message})`.
export const follow_session = (options) => new session_follower(options);
