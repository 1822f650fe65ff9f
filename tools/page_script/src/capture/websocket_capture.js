import {
  note_socket_event,
  read_dev_message,
  tool_of_message,
  tool_of_socket,
} from "../dev_server.js";
import { is_leaving, page_id } from "../page_life.js";
import { listen, watch_calls, watch_construction } from "../page_hooks.js";
import { is_own, report } from "../transport.js";

const sampled_messages = 5;
const message_chars = 4096;
const urls_kept = 100;

let sockets = 0;
// Sockets that the page itself has closed.
const closed_by_page = new WeakSet();
// By URL: how many tries in a row have failed.
const failed_tries = new Map();

const note_try = (url, type, is_open) => {
  const before = failed_tries.get(url) ?? 0;
  if (type == "open") {
    failed_tries.delete(url);
    return { after_attempts: before || undefined };
  }
  if (is_open) return {};
  if (failed_tries.size > urls_kept) failed_tries.clear();
  if (type == "error") failed_tries.set(url, before + 1);
  return { opened: false, attempt: type == "error" ? before + 1 : before || 1 };
};

const cause_of_end = (socket, type) => {
  if (type != "error" && type != "close") return undefined;
  if (closed_by_page.has(socket)) return "page";
  return is_leaving() ? "navigation" : undefined;
};

const watch_socket = (socket, protocols, stack) => {
  const { url } = socket;
  const id = `ws-${++sockets}`;
  let messages = 0;
  let is_open = false;
  let tool = tool_of_socket(url, protocols, stack);
  listen(socket, "open error close message", ({ type, code, reason, data }) => {
    const is_message = type == "message";
    if (is_message && messages < sampled_messages) tool ??= tool_of_message(url, data);
    if (tool) note_socket_event(tool, socket, type);
    if (is_message && tool) return read_dev_message(data);
    if (is_message && ++messages > sampled_messages) return;
    const tries = closed_by_page.has(socket) ? {} : note_try(url, type, is_open || is_message);
    is_open ||= type == "open";
    report("websocket-events", {
      type: "websocket",
      event: type,
      id,
      url,
      code,
      reason,
      page_id,
      dev_server: tool,
      ...(is_message ? undefined : tries),
      cause: cause_of_end(socket, type),
      ...(is_message && {
        direction: "incoming",
        data: data.trim ? data.slice(0, message_chars) : "[binary]",
        size: data.length ?? data.size ?? data.byteLength,
      }),
    });
  });
};

// Some development servers speak to their client this way.
const watch_event_source = (source) => {
  const tool = tool_of_socket(source.url, "", "");
  if (!tool) return;
  listen(source, "open error message change", ({ type, data }) => {
    note_socket_event(tool, source, type == "error" ? "close" : "open");
    read_dev_message(data);
  });
};

// Reports the life of every WebSocket and the first messages that it receives, and reads what
// development servers say. What the page sends stays unread: it may be what a user typed.
export const capture_websockets = () => {
  watch_construction("WebSocket", (socket, protocols) => {
    if (!is_own(socket.url.replace(/^ws/, "http")))
      watch_socket(socket, `${protocols ?? ""}`, new Error().stack);
  });
  watch_calls(WebSocket.prototype, "close", (args, socket) => {
    closed_by_page.add(socket);
  });
  watch_construction("EventSource", watch_event_source);
};
