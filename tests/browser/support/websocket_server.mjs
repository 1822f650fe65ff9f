// The server's side of WebSockets: it sends, and of what it gets it knows that it came.
import { createHash } from "node:crypto";

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

// Accepts a WebSocket and hands it to `talk({ send, close, drop, heard })`; without it the try is refused.
// `heard(then)`: what is done whenever its client sends something.
export const serve_websocket = (request, socket, talk) => {
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
    heard: (then) => socket.on("data", then),
  });
};
