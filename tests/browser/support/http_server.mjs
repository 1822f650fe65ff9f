import { createServer } from "node:http";

// Starts an HTTP server on a free port of 127.0.0.1. `handle(request, response, body)` gets the
// whole request body as text.
export const start_http_server = async (handle) => {
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (piece) => (body += piece));
    request.on("end", () => handle(request, response, body));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  const stop = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return { server, port, origin: `http://127.0.0.1:${port}`, stop };
};
