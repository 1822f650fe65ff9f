// What the events of an agent session add up to: its messages as they are written, tools, workers.

import { default_settings } from "./client_settings.mjs";
import { is_object } from "./json_objects.mjs";

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
