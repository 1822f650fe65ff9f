// The shop's own server: what its pages ask below /api, the socket of its news, and the plain pages.
import { createReadStream, existsSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { serve_websocket } from "../../browser/support/websocket_server.mjs";

const poll_ms = 15_000;
const types = { ".html": "text/html; charset=utf-8", ".js": "text/javascript" };

const json = (response, status, body, headers = {}) =>
  response
    .writeHead(status, { "Content-Type": "application/json", ...headers })
    .end(JSON.stringify(body));

const routes = {
  "GET /api/me": ({ request, response }) =>
    /session=/.test(request.headers.cookie ?? "")
      ? json(response, 200, { name: "Ann" })
      : json(response, 401, { error: "not signed in" }),
  "POST /api/login": ({ response }) =>
    json(response, 200, {}, { "Set-Cookie": "session=1; Path=/" }),
  "POST /api/order": ({ response }) => json(response, 201, { order: 7 }),
  "GET /api/search": ({ response }) =>
    setTimeout(() => json(response, 200, { found: 3 }), 150),
  "GET /api/poll": ({ response, polls }) => {
    const answer = () => response.writeHead(204).end();
    const timer = setTimeout(answer, poll_ms);
    polls.add(answer);
    response.on("close", () => {
      clearTimeout(timer);
      polls.delete(answer);
    });
  },
  "GET /api/profile": ({ response }) => json(response, 500, { error: "database is down" }),
  "GET /api/busy": ({ response }) => json(response, 503, { error: "busy" }),
  "GET /api/page": ({ response }) =>
    response.writeHead(200, { "Content-Type": "text/html" }).end("<!doctype html><p>Hello"),
  "POST /api/graphql": ({ response }) =>
    json(response, 200, {
      data: null,
      errors: [
        { message: "Cannot return null for Cart.total", path: ["cart", "total"], extensions: { code: "INTERNAL_SERVER_ERROR" } },
      ],
    }),
  "GET /api/stock": ({ response }) => json(response, 200, { lamps: 3 }),
  "GET /api/widget.js": ({ response }) =>
    response.writeHead(200, { "Content-Type": "text/javascript" }).end("globalThis.widget = 1;"),
};

// `folder` holds the plain pages. Its answers can be made `slow(ms)`; `restart(away_ms, code)` closes
// its sockets, is away for a while, and is there again.
export const start_shop_server = async (port, folder) => {
  const sockets = new Set();
  const polls = new Set();
  let delay_ms = 0;

  const answer = (request, response) => {
    const path = request.url.split("?")[0];
    const route = routes[`${request.method} ${path}`];
    if (route) return route({ request, response, polls });
    const file = join(folder, path == "/" ? "index.html" : path);
    if (path.startsWith("/api/") || !existsSync(file)) return response.writeHead(404).end("not here");
    response.writeHead(200, { "Content-Type": types[extname(file)] ?? "text/plain", "Cache-Control": "no-store" });
    return createReadStream(file).pipe(response);
  };

  let server;
  const listen = () => {
    server = createServer((request, response) =>
      delay_ms && !request.url.startsWith("/api/")
        ? setTimeout(() => answer(request, response), delay_ms)
        : answer(request, response),
    );
    server.on("upgrade", (request, socket) =>
      serve_websocket(request, socket, (talk) => {
        sockets.add(talk);
        socket.on("close", () => sockets.delete(talk));
        talk.send("42 lamps left");
      }),
    );
    return new Promise((resolve) => server.listen(port, resolve));
  };
  const stop = () => {
    for (const { drop } of sockets) drop();
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  const restart = async (away_ms, code) => {
    for (const done of polls) done();
    for (const { close, drop } of sockets) code ? close(code) : drop();
    await new Promise((resolve) => setTimeout(resolve, 50));
    await stop();
    await new Promise((resolve) => setTimeout(resolve, away_ms));
    await listen();
  };
  await listen();
  return { restart, stop, slow: (ms) => (delay_ms = ms) };
};
