// Decides what a client of an agent session does next, so that it comes back after every
// interruption where it stopped. Touches neither clock nor socket: time and frames go in, actions
// come out.

import { default_settings } from "./client_settings.mjs";
import { is_object, parse_object } from "./json_objects.mjs";
import { session_view } from "./session_view.mjs";

// Codes that say that this client and this server will not agree by trying again. 1000 is the end
// of a session that was deleted.
const final_codes = new Set([1000, 1002, 1003, 1007, 1009, 1010]);
// With 1008 the server closes clients that were too slow, who come back, and those that it will not
// have, who must not.
const is_final = (code, reason_code) =>
  final_codes.has(code) ||
  (code === 1008 && reason_code !== undefined && reason_code !== "client_too_slow");

const is_refusal = (status) => status >= 400 && status < 500 && ![408, 425, 429].includes(status);

const refusal_of = ({ status, body }) => ({
  code: body?.error?.code ?? (status === 404 ? "session_not_found" : `http_${status}`),
  message: body?.error?.message ?? `The server answered ${status}.`,
});

// The connection of one client to one session, as a state machine. Every input answers a list of
// actions, each an object with one key:
//   attach: session id       ask GET /sessions/{id}; its answer goes into `attached`
//   connect: url             open a WebSocket; then `opened`, `received`, `closed`
//   send: frame              on the WebSocket
//   close: code              close the WebSocket, or give up opening it; expect nothing more of it
//   event: event             it was applied to the view
//   frame: frame             of a type that this version does not know
//   reset: true              the view starts anew from a snapshot
//   end: {code, message}     it is over; nothing will follow
export class session_stream {
  // idle, attaching, connecting, subscribing, live, waiting (for the next attempt) or ended.
  state = "idle";
  deadline = null; // `tick` is due then
  cursor; // id of the last event that the view holds
  end = null; // why it has ended
  last_close = null; // {code, reason} of the last connection that the server closed
  faults = 0; // frames that made no sense
  #session_id;
  #filter;
  #settings;
  #random;
  #needs_snapshot;
  #attempts = 0; // since the last stable connection
  #live_since = null;
  #waits_for_pong = false;
  #nonce = 0;
  #cancels = new Map(); // turn id -> reason, until the turn has ended

  constructor({
    session_id,
    filter = "preset:chat",
    since = null,
    settings = {},
    random = Math.random,
  }) {
    this.#session_id = session_id;
    this.#filter = filter;
    this.#settings = { ...default_settings, ...settings };
    this.#random = random;
    this.cursor = since;
    this.#needs_snapshot = since === null;
    this.view = new session_view(session_id, this.#settings);
  }

  start(now) {
    return this.state === "idle" ? this.#attach(now) : [];
  }

  // For a user who does not want to wait for the next attempt.
  retry_now(now) {
    return this.state === "waiting" ? this.#attach(now) : [];
  }

  // Ends it from this side.
  stop() {
    if (this.state === "ended") return [];
    const actions = this.#has_socket() ? [{ close: 1000 }] : [];
    return [...actions, ...this.#finish({ code: "stopped", message: "The client has stopped." })];
  }

  // Cancels a turn; while there is no connection, as soon as there is one again. A cancel may be
  // lost with its connection, so it is repeated on the next until the turn has ended.
  cancel(turn_id, reason = "user_cancel") {
    if (this.state === "ended") return [];
    this.#cancels.set(turn_id, reason);
    return this.state === "live" ? [{ send: { type: "cancel", turn_id, reason } }] : [];
  }

  // The answer to GET /sessions/{id}; `undefined` when there was none.
  attached(answer, now) {
    if (this.state !== "attaching") return [];
    if (answer !== undefined && is_refusal(answer.status)) return this.#finish(refusal_of(answer));
    const url = answer?.status === 200 ? answer.body?.ws_url : undefined;
    if (typeof url !== "string") return this.#wait(now, answer?.retry_after_ms);
    this.state = "connecting";
    return [{ connect: url }];
  }

  opened() {
    if (this.state !== "connecting") return [];
    this.state = "subscribing";
    const snapshot = this.#needs_snapshot;
    const since = snapshot ? null : this.cursor;
    return [{ send: { type: "subscribe", filter: this.#filter, since, snapshot } }];
  }

  received(text, now) {
    if (this.state !== "subscribing" && this.state !== "live") return [];
    const frame = typeof text === "string" ? parse_object(text) : undefined;
    if (this.state === "live") this.#heard(now);
    if (frame === undefined) return this.#fault();
    return frame_handlers[frame.type]?.(this, frame, now) ?? [{ frame }];
  }

  closed({ code, reason = "" }, now) {
    if (!this.#has_socket()) return [];
    this.last_close = { code, reason };
    const told = parse_object(reason);
    if (!is_final(code, told?.code)) return this.#wait(now);
    return this.#finish({
      code: told?.code ?? `closed_${code}`,
      message: told?.message ?? `The server closed the connection with code ${code}.`,
    });
  }

  // Time has come to `deadline` or past it.
  tick(now) {
    if (this.deadline === null || now < this.deadline) return [];
    if (this.state === "waiting") return this.#attach(now);
    if (this.state === "live" && !this.#waits_for_pong) return this.#ping(now);
    // No answer: a connection in that state may hang for minutes, so it is given up.
    const actions = this.#has_socket() ? [{ close: 4000 }] : [];
    return [...actions, ...this.#wait(now)];
  }

  // ---- frames ----

  #fault() {
    this.faults += 1;
    return [];
  }

  acknowledged(now) {
    if (this.state !== "subscribing") return this.#fault();
    this.state = "live";
    this.#live_since = now;
    this.#heard(now);
    return [...this.#cancels].map(([turn_id, reason]) => ({
      send: { type: "cancel", turn_id, reason },
    }));
  }

  // What has been missed cannot be had event by event any more: that needs a new connection
  // and a snapshot. It is not a failure, so it does not wait.
  refused({ code, message }, now) {
    if (this.state !== "subscribing") return this.#fault();
    if (code !== "cursor_expired" && code !== "replay_too_large")
      return [{ close: 1000 }, ...this.#finish({ code, message })];
    if (this.#needs_snapshot) return [{ close: 1000 }, ...this.#wait(now)];
    this.#needs_snapshot = true;
    return [{ close: 1000 }, ...this.#attach(now)];
  }

  take_snapshot(frame) {
    const { session, messages, snapshot_at_event_id } = frame;
    if (this.state !== "live" || !is_object(session) || !Array.isArray(messages))
      return this.#fault();
    this.view.reset(frame);
    this.cursor = snapshot_at_event_id;
    this.#needs_snapshot = false;
    for (const id of this.#cancels.keys())
      if (id !== session.current_turn_id) this.#cancels.delete(id);
    return [{ reset: true }];
  }

  // Ids rise, so what is not above the cursor has been seen: replays may overlap.
  take_event({ event }) {
    if (this.state !== "live" || !is_object(event) || typeof event.id !== "string")
      return this.#fault();
    if (typeof event.type !== "string" || !is_object(event.payload)) return this.#fault();
    if (this.cursor !== null && event.id <= this.cursor) return [];
    this.cursor = event.id;
    if (event.type === "turn.completed" || event.type === "turn.cancelled")
      this.#cancels.delete(event.turn_id);
    this.view.apply(event);
    return [{ event }];
  }

  // ---- connections ----

  #attach(now) {
    this.state = "attaching";
    this.#live_since = null;
    this.deadline = now + this.#settings.connect_ms;
    return [{ attach: this.#session_id }];
  }

  // Waits twice as long with each failure, and not as long as others who lost the same server.
  #wait(now, at_least = 0) {
    const { first_delay_ms, max_delay_ms, stable_ms } = this.#settings;
    if (this.#live_since !== null && now - this.#live_since >= stable_ms) this.#attempts = 0;
    const longest = Math.min(max_delay_ms, first_delay_ms * 2 ** Math.min(this.#attempts, 30));
    this.#attempts += 1;
    this.#live_since = null;
    this.state = "waiting";
    this.deadline = now + Math.max(at_least, (longest * (1 + this.#random())) / 2);
    return [];
  }

  #finish(end) {
    this.state = "ended";
    this.deadline = null;
    this.end = end;
    return [{ end }];
  }

  #has_socket() {
    return ["connecting", "subscribing", "live"].includes(this.state);
  }

  // ---- heartbeat ----

  #heard(now) {
    this.#waits_for_pong = false;
    this.deadline = now + this.#settings.ping_after_ms;
  }

  #ping(now) {
    this.#waits_for_pong = true;
    this.deadline = now + this.#settings.pong_ms;
    return [{ send: { type: "ping", nonce: `c${(this.#nonce += 1)}` } }];
  }
}

const frame_handlers = {
  __proto__: null,
  event: (stream, frame) => stream.take_event(frame),
  snapshot: (stream, frame) => stream.take_snapshot(frame),
  subscribe_ack: (stream, frame, now) => stream.acknowledged(now),
  subscribe_error: (stream, frame, now) => stream.refused(frame, now),
  ping: (stream, { nonce = "" }) => [{ send: { type: "pong", nonce } }],
  pong: () => [],
};
