import { start_http_server } from "./http_server.mjs";
import { serve_websocket } from "./websocket_server.mjs";

// What the server does with a WebSocket when a test has set nothing for its path.
const say_eight_times = ({ send, close }) => {
  for (let i = 1; i <= 8; i++) send(`message ${i}`);
  close(4001, "told to");
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
  "/in_pieces": (response) => {
    response.writeHead(200, json).write("{");
    setTimeout(() => response.end("}"), 700);
  },
  "/slow": (response) => setTimeout(() => response.writeHead(200, json).end("{}"), 2300),
  "/never": () => {},
  "/f503": (response) => response.writeHead(503, json).end("{}"),
};

// A web application under test. `set_page(path, html, headers)` adds a page, `set_socket(path, talk)`
// what it does with a WebSocket,
// `set_answer(path, status, value)` an answer in JSON, `trace_of(url)` is the traceparent that came with a request.
export const start_page_server = async () => {
  const pages = new Map();
  const told_answers = new Map();
  const traces = new Map();
  const { server, origin, stop: stop_server } = await start_http_server((request, response) => {
    const path = request.url.split("?")[0];
    traces.set(request.url, request.headers.traceparent);
    const page = pages.get(path);
    if (page) {
      response.writeHead(200, { "Content-Type": "text/html; charset=utf-8", ...page.headers });
      return response.end(page.html);
    }
    const told = told_answers.get(path);
    if (told) return response.writeHead(told.status, json).end(JSON.stringify(told.value));
    const answer = answers[path] ?? ((missing) => missing.writeHead(404).end("not here"));
    return answer(response);
  });
  const talks = new Map([["/socket", say_eight_times]]);
  const sockets = new Set(); // which the server does not count among its connections
  server.on("upgrade", (request, socket) => {
    sockets.add(socket);
    serve_websocket(request, socket, talks.get(request.url.split("?")[0]));
  });
  // Frees what the test before has set.
  const reset = () => {
    pages.clear();
    told_answers.clear();
    traces.clear();
    talks.clear();
    talks.set("/socket", say_eight_times);
  };
  const stop = () => {
    for (const each of sockets) each.destroy();
    return stop_server();
  };
  const set_socket = (path, talk) => talks.set(path, talk);
  return {
    origin,
    stop,
    reset,
    set_socket,
    trace_of: (url) => traces.get(url),
    set_answer: (path, status, value) => told_answers.set(path, { status, value }),
    set_page: (path, html, headers) => pages.set(path, { html, headers }),
  };
};
