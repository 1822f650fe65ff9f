// Follows an agent session live: puts its messages together out of the stream, and comes back after
// every interruption where it stopped. For web pages and Node.js alike, without dependencies.
//
// `session_view` is what the events add up to. `session_stream` decides what a client does next; it
// touches neither clock nor socket: time and frames go in, actions come out. `follow_session` joins
// both to real sockets.

export const default_settings = {
  first_delay_ms: 250, // before the first attempt to come back; doubles with each that fails
  max_delay_ms: 10_000,
  stable_ms: 5_000, // a connection that was live for so long starts the delays anew
  connect_ms: 10_000, // for attaching, opening and subscribing together
  ping_after_ms: 45_000, // of silence; the server, which pings earlier, may be gone without a word
  pong_ms: 15_000,
  messages_kept: 1_000, // in a view, and as many tools
  notices_kept: 100, // of workers, alerts, notices and unknown events each
};

const is_object = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

const equal = (a, b) => {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  const keys = Object.keys(a);
  return (
    Array.isArray(a) === Array.isArray(b) &&
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && equal(a[key], b[key]))
  );
};

const parse_object = (text) => {
  try {
    const value = JSON.parse(text);
    return is_object(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

// ---- what the stream adds up to ----

const status_of_stop = (stop_reason) =>
  stop_reason === "cancelled" ? "cancelled" : stop_reason === "error" ? "failed" : "complete";

const is_result = ({ type }) => type === "tool_result";

// Agents that run elsewhere may put anything into a list of blocks.
const blocks_of = (content) => (Array.isArray(content) ? content.filter(is_object) : []);

// All text of a message, without thinking and tools.
export const text_of = (message) =>
  message.content
    .filter(({ type }) => type === "text")
    .map(({ text }) => text)
    .join("");

// The blocks of a message that is being written, by index.
class open_blocks extends Map {
  last = -1;

  // Where a block goes in its message: at the end, but for servers that write out of order.
  add(index, block, content) {
    const at =
      index > this.last ? content.length : [...this.keys()].filter((k) => k < index).length;
    content.splice(at, 0, block);
    this.set(index, block);
    this.last = Math.max(this.last, index);
  }
}

// The messages and tools of one session, the followed one or a worker.
class conversation {
  turn = null; // {id, status: in_flight | completed | failed | cancelled, …}
  messages = []; // {id, role, status: streaming | complete | cancelled | failed, content, …}
  tools = []; // {id, name, status: running | completed | failed | cancelled, …}
  #messages = new Map();
  #tools = new Map();
  #blocks = new Map(); // message id -> its blocks by index, while it is being written

  clear() {
    this.turn = null;
    for (const list of [this.messages, this.tools]) list.length = 0;
    for (const index of [this.#messages, this.#tools, this.#blocks]) index.clear();
  }

  // ---- turns ----

  start_turn(event) {
    this.turn = { id: event.turn_id, status: "in_flight" };
    this.#add_user_message(event);
  }

  // A call that tells the model of new alerts carries the message that does.
  start_call(event) {
    if (this.turn?.id === event.turn_id) delete this.turn.error;
    this.#add_user_message(event);
  }

  #add_user_message({ turn_id, payload }) {
    const { message_id: id = null } = payload;
    const content = blocks_of(payload.content);
    if (content.length > 0) this.#add({ id, turn_id, role: "user", status: "complete", content });
  }

  // Whatever of the turn is still open got no end of its own: the server died or was cut short.
  end_turn({ turn_id, payload }, status) {
    const error = this.turn?.id === turn_id ? this.turn.error : undefined;
    this.turn = { ...payload, id: turn_id, status, ...(error && { error }) };
    const left = status === "cancelled" ? "cancelled" : "failed";
    for (const id of this.#blocks.keys()) this.#messages.get(id).status = left;
    this.#blocks.clear();
    for (const tool of this.tools)
      if (tool.turn_id === turn_id && tool.status === "running") tool.status = left;
  }

  fail_call({ turn_id, payload }) {
    const { error_class, message, will_retry } = payload;
    if (this.turn?.id === turn_id) this.turn.error = { error_class, message, will_retry };
  }

  // ---- messages ----

  #add(message) {
    this.messages.push(message);
    this.#messages.set(message.id, message);
    return message;
  }

  #begin({ turn_id, payload }, more) {
    const { message_id, role = "assistant", model = null } = payload;
    this.#blocks.set(message_id, new open_blocks());
    return this.#add({
      id: message_id,
      turn_id,
      role,
      model,
      status: "streaming",
      stop_reason: null,
      content: [],
      ...more,
    });
  }

  start_message(event) {
    if (!this.#messages.has(event.payload.message_id)) this.#begin(event);
  }

  // The block that a delta belongs to; nothing when the message is finished or the block is of
  // another type, which `message.complete` sets right. A message whose start was missed is made.
  #block(event, type, more) {
    const { message_id, content_block_index: index } = event.payload;
    const message = this.#messages.get(message_id) ?? this.#begin(event, { incomplete: true });
    const blocks = this.#blocks.get(message_id);
    if (blocks === undefined) return undefined;
    if (!blocks.has(index)) blocks.add(index, { type, ...more }, message.content);
    const block = blocks.get(index);
    return block.type === type ? block : undefined;
  }

  add_text(event) {
    const block = this.#block(event, "text", { text: "" });
    if (block) block.text += event.payload.text;
  }

  add_thinking(event) {
    const block = this.#block(event, "thinking", { text: "", signature: null });
    if (!block) return;
    block.text += event.payload.text;
    block.signature = event.payload.signature ?? block.signature;
  }

  start_tool_use(event) {
    const { tool_use_id: id, tool_name: name } = event.payload;
    this.#block(event, "tool_use", { id, name, input: null, partial_json: "" });
  }

  add_input(event) {
    const { tool_use_id: id, partial_json } = event.payload;
    const block = this.#block(event, "tool_use", { id, name: null, input: null, partial_json: "" });
    // Undefined once the input has come in full.
    if (block?.partial_json !== undefined) block.partial_json += partial_json;
  }

  end_tool_use(event) {
    const { tool_use_id: id, final_input } = event.payload;
    const block = this.#block(event, "tool_use", { id, name: null });
    if (!block) return;
    block.input = final_input;
    delete block.partial_json;
  }

  // Answers whether the deltas had not added up to the final content.
  complete_message(event) {
    const { message_id, stop_reason, final_content, usage } = event.payload;
    const message = this.#messages.get(message_id) ?? this.#begin(event);
    const repaired = !equal(message.content, final_content);
    message.content = blocks_of(final_content);
    message.stop_reason = stop_reason;
    message.status = status_of_stop(stop_reason);
    if (usage !== undefined) message.usage = usage;
    delete message.incomplete;
    this.#blocks.delete(message_id);
    return repaired;
  }

  add_feedback({ payload: { message_id, rating, comment } }) {
    const message = this.#messages.get(message_id);
    if (message) message.feedback = { rating, comment };
  }

  // ---- tools ----

  #set_tool(id, values) {
    const known = this.#tools.get(id);
    if (known) return Object.assign(known, values);
    const tool = { id, ...values };
    this.tools.push(tool);
    this.#tools.set(id, tool);
    return tool;
  }

  call_tool({ turn_id, payload }) {
    const { tool_use_id, tool_name: name, input } = payload;
    this.#set_tool(tool_use_id, { turn_id, name, input, status: "running" });
  }

  complete_tool({ turn_id, payload }) {
    const { tool_use_id, tool_name: name, result, is_error } = payload;
    this.#set_tool(tool_use_id, {
      turn_id,
      name,
      status: is_error ? "failed" : "completed",
      result,
    });
  }

  fail_tool({ turn_id, payload }) {
    const { tool_use_id, tool_name: name, error_class, message: result } = payload;
    const status = error_class === "cancelled" ? "cancelled" : "failed";
    this.#set_tool(tool_use_id, { turn_id, name, status, error_class, result });
  }

  // ---- snapshots ----

  // Messages of tool results become the ends of their tools, since live streams show them so.
  take_messages(messages, current_turn_id) {
    for (const one of messages.filter(is_object)) {
      const message = { ...one, content: blocks_of(one.content) };
      if (message.role === "user" && message.content.every(is_result)) this.#take_results(message);
      else this.#take_message(message, current_turn_id);
    }
  }

  #take_message(message, current_turn_id) {
    this.#add(message);
    const { turn_id, role, status } = message;
    if (role !== "assistant" || status !== "complete") return;
    for (const { type, id, name, input } of message.content)
      if (type === "tool_use")
        this.#set_tool(id, {
          turn_id,
          name,
          input,
          status: turn_id === current_turn_id ? "running" : "cancelled",
        });
  }

  #take_results({ turn_id, content }) {
    for (const { tool_use_id, content: result, is_error } of content)
      this.#set_tool(tool_use_id, { turn_id, status: is_error ? "failed" : "completed", result });
  }

  // Forgets the oldest above the limit; answers how many messages went.
  trim(kept) {
    const old = this.messages.splice(0, Math.max(0, this.messages.length - kept));
    for (const { id } of old) {
      this.#messages.delete(id);
      this.#blocks.delete(id);
    }
    for (const { id } of this.tools.splice(0, Math.max(0, this.tools.length - kept)))
      this.#tools.delete(id);
    return old.length;
  }
}

// What a client shows of a session. Plain data below; it changes with each event.
export class session_view extends conversation {
  session = null; // as in the snapshot, kept up to date
  workers = []; // {session_id, parent_session_id, status, …} with a conversation of their own
  alerts = []; // payloads of `alert.raised`
  notices = []; // payloads of `bus.` events with their type
  unknown = []; // events of types that this version does not know
  repaired = 0; // messages whose final content was not what the deltas had added up to
  forgotten = 0; // messages above the limit
  #settings;
  #session_id;

  constructor(session_id, settings = default_settings) {
    super();
    this.#session_id = session_id;
    this.#settings = settings;
  }

  // Starts anew from a snapshot.
  reset({ session, messages }) {
    this.clear();
    for (const list of [this.workers, this.alerts, this.notices, this.unknown]) list.length = 0;
    this.session = { ...session };
    const { current_turn_id: id } = session;
    if (id) this.turn = { id, status: "in_flight" };
    this.take_messages(messages, id);
    this.trim(this.#settings.messages_kept);
  }

  apply(event) {
    const handler = handlers[event.type];
    if (handler) handler(this, this.#owner(event), event);
    else this.keep(this.unknown, event);
  }

  // The conversation that an event belongs to.
  #owner({ session_id, parent_session_id }) {
    if (session_id === this.#session_id) return this;
    return this.worker(session_id, { parent_session_id });
  }

  worker(session_id, values = {}) {
    let found = this.workers.find((worker) => worker.session_id === session_id);
    if (!found) this.keep(this.workers, (found = new conversation()));
    return Object.assign(found, { session_id, status: found.status ?? "running", ...values });
  }

  keep(list, item) {
    list.push(item);
    if (list.length > this.#settings.notices_kept) list.shift();
  }

  // Messages only grow in number when one begins, so this is asked then.
  bound(owner) {
    this.forgotten += owner.trim(this.#settings.messages_kept);
  }

  update_session(values) {
    if (this.session) Object.assign(this.session, values);
  }
}

const end_turn = (view, owner, event, status) => {
  owner.end_turn(event, status);
  if (owner === view) view.update_session({ current_turn_id: null, current_turn_status: null });
};

const end_worker = (view, { payload }, status) => {
  const { worker_session_id, failure_mode } = payload;
  view.worker(worker_session_id, { status, ...(failure_mode && { failure_mode }) });
};

// What each type of event does to the view; `owner` is the conversation it belongs to.
const handlers = {
  __proto__: null,
  "turn.started": (view, owner, event) => {
    owner.start_turn(event);
    view.bound(owner);
    if (owner !== view || !view.session) return;
    view.update_session({
      turn_count: view.session.turn_count + 1,
      current_turn_id: event.turn_id,
      current_turn_status: "in_flight",
    });
  },
  "turn.completed": (view, owner, event) =>
    end_turn(view, owner, event, event.payload.status === "failed" ? "failed" : "completed"),
  "turn.cancelled": (view, owner, event) => end_turn(view, owner, event, "cancelled"),
  "route.decided": (view, owner, { payload }) => {
    if (owner === view) view.update_session({ active_model: payload.model });
  },
  "llm.call_started": (view, owner, event) => {
    owner.start_call(event);
    view.bound(owner);
  },
  "llm.call_completed": (view, owner, { payload }) => {
    if (owner === view && view.session && typeof payload.cost_usd === "number")
      view.session.cost_so_far_usd += payload.cost_usd;
  },
  "llm.call_failed": (view, owner, event) => owner.fail_call(event),
  "tool.called": (view, owner, event) => owner.call_tool(event),
  "tool.completed": (view, owner, event) => owner.complete_tool(event),
  "tool.failed": (view, owner, event) => owner.fail_tool(event),
  "delegate.started": (view, owner, { session_id, payload }) => {
    const { worker_session_id, tool_use_id, task } = payload;
    view.worker(worker_session_id, { parent_session_id: session_id, tool_use_id, task });
  },
  "delegate.completed": (view, owner, event) =>
    end_worker(view, event, event.payload.success ? "completed" : "failed"),
  "delegate.failed": (view, owner, event) =>
    end_worker(
      view,
      event,
      event.payload.failure_mode === "cancelled_by_user" ? "cancelled" : "failed",
    ),
  "feedback.recorded": (view, owner, event) => owner.add_feedback(event),
  "alert.raised": (view, owner, { payload }) => view.keep(view.alerts, payload),
  "bus.handler_warning": (view, owner, { type, payload }) =>
    view.keep(view.notices, { type, ...payload }),
  "bus.subscriber_unregistered": (view, owner, { type, payload }) =>
    view.keep(view.notices, { type, ...payload }),
  "message.start": (view, owner, event) => {
    owner.start_message(event);
    view.bound(owner);
  },
  "text.delta": (view, owner, event) => owner.add_text(event),
  "thinking.delta": (view, owner, event) => owner.add_thinking(event),
  "tool.use_start": (view, owner, event) => owner.start_tool_use(event),
  "tool.use_input_delta": (view, owner, event) => owner.add_input(event),
  "tool.use_end": (view, owner, event) => owner.end_tool_use(event),
  "message.complete": (view, owner, event) => {
    if (owner.complete_message(event)) view.repaired += 1;
  },
};

// ---- what a client does next ----

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

// ---- real sockets ----

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
