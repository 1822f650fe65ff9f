import { createHash } from "node:crypto";
import { start_http_server } from "./http_server.mjs";

const text_frame = (text) => {
  const payload = Buffer.from(text);
  const { length } = payload;
  const head = length < 126 ? [0x81, length] : [0x81, 126, length >> 8, length & 255];
  return Buffer.concat([Buffer.from(head), payload]);
};

const close_frame = (code, reason) => {
  const payload = Buffer.concat([Buffer.from([code >> 8, code & 255]), Buffer.from(reason)]);
  return Buffer.concat([Buffer.from([0x88, payload.length]), payload]);
};

// What the server does with a WebSocket when a test has set nothing for its path.
const say_eight_times = ({ send, close }) => {
  for (let i = 1; i <= 8; i++) send(`message ${i}`);
  close(4001, "told to");
};

// Accepts a WebSocket and hands it to `talk({ send, close, drop })`; without it the try is refused.
const serve_websocket = (request, socket, talk) => {
  socket.on("error", () => {});
  if (!talk) return socket.destroy();
  const key = request.headers["sec-websocket-key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
  const accept = createHash("sha1").update(key).digest("base64");
  const protocol = request.headers["sec-websocket-protocol"];
  socket.write(
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" +
      (protocol ? `Sec-WebSocket-Protocol: ${protocol}\r\n` : "") +
      `Sec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
  socket.resume();
  return talk({
    send: (text) => socket.write(text_frame(text)),
    close: (code, reason = "") => socket.end(close_frame(code, reason)),
    drop: () => socket.destroy(),
  });
};

const json = { "Content-Type": "application/json" };

const answers = {
  "/fail": (response) => response.writeHead(500, json).end('{"error":"database is down"}'),
  "/login": (response) => response.writeHead(401, json).end('{"error":"wrong","secret":"s3cr3t"}'),
  "/fine": (response) => response.writeHead(200, json).end("{}"),
  "/image": (response) => response.writeHead(500, { "Content-Type": "image/png" }).end("x"),
  "/long": (response) =>
    response.writeHead(500, { "Content-Type": "text/plain" }).end("x".repeat(100_000)),
  "/stream": (response) => {
    response.writeHead(500, { "Content-Type": "text/event-stream" }).write("data: 1\n\n");
  },
  "/stalled": (response) =>
    response.writeHead(500, { "Content-Type": "text/plain" }).write("first"),
  "/slow": (response) => setTimeout(() => response.writeHead(200, json).end("{}"), 2300),
  "/never": () => {},
  "/f503": (response) => response.writeHead(503, json).end("{}"),
};

// A web application under test. `set_page(path, html, headers)` adds a page, `set_socket(path, talk)`
// what it does with a WebSocket.
export const start_page_server = async () => {
  const pages = new Map();
  const { server, origin, stop } = await start_http_server((request, response) => {
    const path = request.url.split("?")[0];
    const page = pages.get(path);
    if (page) {
      response.writeHead(200, { "Content-Type": "text/html; charset=utf-8", ...page.headers });
      return response.end(page.html);
    }
    const answer = answers[path] ?? ((missing) => missing.writeHead(404).end("not here"));
    return answer(response);
  });
  const talks = new Map([["/socket", say_eight_times]]);
  server.on("upgrade", (request, socket) =>
    serve_websocket(request, socket, talks.get(request.url.split("?")[0])),
  );
  // Frees what the test before has set.
  const reset = () => {
    pages.clear();
    talks.clear();
    talks.set("/socket", say_eight_times);
  };
  const set_socket = (path, talk) => talks.set(path, talk);
  return {
    origin,
    stop,
    reset,
    set_socket,
    set_page: (path, html, headers) => pages.set(path, { html, headers }),
  };
};
