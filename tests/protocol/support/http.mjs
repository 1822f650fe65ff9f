import http from "node:http";
import net from "node:net";

// One HTTP request on a connection of its own. `body` may be a Buffer, a string or a value that
// becomes JSON; `headers` may set Host and Origin, which fetch() forbids.
export const http_request = (
  port,
  { method = "GET", path = "/", headers = {}, body, agent = false },
) =>
  new Promise((resolve, reject) => {
    const bytes =
      body === undefined || Buffer.isBuffer(body)
        ? body
        : Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
    const started = performance.now();
    const request = http.request(
      {
        host: "127.0.0.1",
        port,
        method,
        path,
        agent,
        headers: { ...length_of(bytes), ...headers },
      },
      (response) => {
        const chunks = [];
        response.on("data", (chunk) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () =>
          resolve(answer(response, Buffer.concat(chunks).toString(), performance.now() - started)),
        );
      },
    );
    request.on("error", reject);
    request.end(bytes);
  });

const length_of = (bytes) =>
  bytes === undefined ? {} : { "content-type": "application/json", "content-length": bytes.length };

const answer = (response, text, ms) => ({
  status: response.statusCode,
  headers: response.headers,
  text,
  ms,
  get json() {
    return JSON.parse(text);
  },
});

// Sends bytes as they are and gives all that comes back until the server closes; for requests that
// an HTTP client would not make. They have to say `Connection: close`.
export const raw_http = (port, bytes) =>
  new Promise((resolve, reject) => {
    let text = "";
    const socket = net.connect(port, "127.0.0.1", () => socket.write(bytes));
    socket.on("data", (chunk) => (text += chunk));
    socket.on("error", reject);
    socket.on("close", () => resolve({ status: Number(text.split(" ")[1]), text }));
  });
