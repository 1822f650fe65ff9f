import { createServer } from "node:http";
import { gunzipSync } from "node:zlib";

// Starts an HTTP server on a free port of 127.0.0.1. `handle(request, response, body)` gets the
// whole request body as text.
export const start_http_server = async (handle) => {
  const server = createServer((request, response) => {
    const pieces = [];
    request.on("data", (piece) => pieces.push(piece));
    request.on("end", () => {
      const bytes = Buffer.concat(pieces);
      const is_packed = request.headers["content-encoding"] == "gzip";
      handle(request, response, (is_packed ? gunzipSync(bytes) : bytes).toString());
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  const stop = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return { server, port, origin: `http://127.0.0.1:${port}`, stop };
};
