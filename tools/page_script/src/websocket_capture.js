import { listen } from "./page_hooks.js";
import { is_own, report } from "./transport.js";

const sampled_messages = 5;
const message_chars = 4096;

let sockets = 0;

const watch_socket = (socket) => {
  const { url } = socket;
  const id = `ws-${++sockets}`;
  let messages = 0;
  listen(socket, "open error close message", ({ type, code, reason, data }) => {
    const message = data != undefined;
    if (message && ++messages > sampled_messages) return;
    report("websocket-events", {
      type: "websocket",
      event: type,
      id,
      url,
      code,
      reason,
      ...(message && {
        direction: "incoming",
        data: data.trim ? data.slice(0, message_chars) : "[binary]",
        size: data.length ?? data.size ?? data.byteLength,
      }),
    });
  });
};

// Reports the life of every WebSocket and the first messages that it receives. What the page sends
// stays unread: it may be what a user typed.
export const capture_websockets = () => {
  window.WebSocket = new Proxy(WebSocket, {
    construct: (...args) => {
      const socket = Reflect.construct(...args);
      if (!is_own(socket.url.replace("ws", "http"))) watch_socket(socket);
      return socket;
    },
  });
};
