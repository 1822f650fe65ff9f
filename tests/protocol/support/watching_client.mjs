// Clients of agent sessions through the JavaScript module.
import { follow_session } from "../../../tools/page_script/session_client/session_follower.mjs";
import { wait_until } from "./deadline.mjs";
import { owner_headers } from "./session_client.mjs";

// A socket class that goes to another port: through a proxy.
const socket_through = (port) =>
  class extends WebSocket {
    constructor(url) {
      const other = new URL(url);
      other.port = String(port);
      super(other.href);
    }
  };

const quick = { first_delay_ms: 20, max_delay_ms: 300, stable_ms: 1_000 };

// Events that tell the text of a message.
const is_delta = ({ type }) => type.endsWith("delta");

// A client of a session through the JavaScript module, which checks the stream as it comes.
export class watching_client {
  events = [];
  connections = 0; // subscriptions that were acknowledged
  snapshots = 0;
  end = undefined;
  #last_state;
  #repaired = 0;
  #fed = new Set(); // messages of which this connection has brought deltas
  mended = []; // of those, the ones whose deltas were not their final content

  constructor(port, session_id, { proxy, settings, ...options } = {}) {
    this.follower = follow_session({
      base_url: `http://127.0.0.1:${port}`,
      session_id,
      headers: owner_headers(port),
      WebSocket: proxy ? socket_through(proxy.port) : WebSocket,
      settings: { ...quick, ...settings },
      on_event: (event) => this.#take(event),
      on_reset: () => (this.snapshots += 1),
      on_end: (end) => (this.end = end),
      on_change: (view, stream) => this.#look(stream),
      ...options,
    });
  }

  get view() {
    return this.follower.view;
  }

  get state() {
    return this.follower.state;
  }

  #look({ state }) {
    if (state === "live" && this.#last_state !== "live") {
      this.connections += 1;
      this.#fed.clear();
    }
    this.#last_state = state;
  }

  // A message of which this connection has brought a delta was open when the connection began, so
  // that everything missed was replayed and the deltas have to add up.
  #take(event) {
    this.events.push(event);
    const { message_id } = event.payload;
    if (is_delta(event)) this.#fed.add(message_id);
    if (event.type !== "message.complete") return;
    if (this.view.repaired > this.#repaired && this.#fed.has(message_id))
      this.mended.push(message_id);
    this.#repaired = this.view.repaired;
  }

  types() {
    return this.events.map(({ type }) => type);
  }

  until(probe, options) {
    return wait_until(
      () => probe(this.view, this),
      () => `${this.state}; last: ${JSON.stringify(this.events.slice(-3)).slice(0, 900)}`,
      options,
    );
  }

  live() {
    return this.until(() => this.state === "live" && this.view.session !== null);
  }

  turn_ended(id) {
    return this.until(({ turn }) => turn?.id === id && turn.status !== "in_flight");
  }

  stop() {
    this.follower.stop();
  }
}

// A client that has its snapshot.
export const follow = async (port, session_id, options) => {
  const client = new watching_client(port, session_id, options);
  await client.live();
  return client;
};
