import { createHash } from "node:crypto";
import { start_http_server } from "./http_server.mjs";

const text_frame = (text) => Buffer.concat([Buffer.from([0x81, text.length]), Buffer.from(text)]);

const close_frame = (code, reason) => {
  const payload = Buffer.concat([Buffer.from([code >> 8, code & 255]), Buffer.from(reason)]);
  return Buffer.concat([Buffer.from([0x88, payload.length]), payload]);
};

// Accepts a WebSocket, sends `messages` texts, and closes with 4001 "told to".
const serve_websocket = (request, socket, messages) => {
  const key = request.headers["sec-websocket-key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
  const accept = createHash("sha1").update(key).digest("base64");
  socket.write(
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" +
      `Sec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
  socket.on("error", () => {});
  socket.resume();
  for (let i = 1; i <= messages; i++) socket.write(text_frame(`message ${i}`));
  socket.end(close_frame(4001, "told to"));
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
};

// A web application under test. `set_page(path, html, headers)` adds a page.
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
  server.on("upgrade", (request, socket) => serve_websocket(request, socket, 8));
  return { origin, stop, set_page: (path, html, headers) => pages.set(path, { html, headers }) };
};
