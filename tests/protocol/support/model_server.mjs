import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import { once } from "node:events";
import path from "node:path";

// A model's server. `answers` are called one after the other with each request's parsed body and
// the response.
export class model_server {
  requests = [];

  constructor(answers, tls) {
    const serve = async (request, response) => {
      let body = "";
      for await (const chunk of request) body += chunk;
      this.requests.push({ headers: request.headers, url: request.url, body: JSON.parse(body) });
      const answer = answers[Math.min(this.requests.length, answers.length) - 1];
      await answer(response, this.requests.at(-1).body);
    };
    this.server = tls ? https.createServer(tls, serve) : http.createServer(serve);
    this.scheme = tls ? "https" : "http";
    this.server.on("tlsClientError", () => {});
  }

  async listen() {
    this.server.listen(0, "127.0.0.1");
    await once(this.server, "listening");
    return `${this.scheme}://localhost:${this.server.address().port}`;
  }

  stop() {
    this.server.closeAllConnections();
    this.server.close();
  }
}

// Writes an event stream in pieces of `size` bytes.
export const stream_events = async (response, events, size = 1_000) => {
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
  const bytes = Buffer.from(events.join(""));
  for (let at = 0; at < bytes.length; at += size)
    await new Promise((resolve) => response.write(bytes.subarray(at, at + size), resolve));
  response.end();
};

const openai_event = (document) => `data: ${JSON.stringify(document)}\n\n`;
const openai_delta = (delta, finish_reason = null) =>
  openai_event({ choices: [{ index: 0, delta, finish_reason }] });
const openai_end = [
  openai_event({ choices: [], usage: { prompt_tokens: 12, completion_tokens: 3 } }),
  "data: [DONE]\n\n",
];

export const openai_text = (text) => [
  openai_delta({ role: "assistant", content: "" }),
  ...[...text].map((content) => openai_delta({ content })),
  openai_delta({}, "stop"),
  ...openai_end,
];

export const openai_tool = (name, input) => [
  openai_delta({ tool_calls: [{ index: 0, id: "call_1", function: { name, arguments: "" } }] }),
  ...JSON.stringify(input)
    .match(/.{1,3}/gs)
    .map((piece) => openai_delta({ tool_calls: [{ index: 0, function: { arguments: piece } }] })),
  openai_delta({}, "tool_calls"),
  ...openai_end,
];

const anthropic_event = (document) =>
  `event: ${document.type}\ndata: ${JSON.stringify(document)}\n\n`;

export const anthropic_text = (text) =>
  [
    { type: "message_start", message: { id: "m", usage: { input_tokens: 9, output_tokens: 1 } } },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "ping" },
    ...[...text].map((piece) => ({
      type: "content_block_delta",
      index: 0,
      delta: { type: "text_delta", text: piece },
    })),
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 4 } },
    { type: "message_stop" },
  ].map(anthropic_event);

// A key and a certificate for `name`, signed by itself, in that directory.
export const make_certificate = (directory, name) => {
  const key = path.join(directory, `${name}.key`);
  const cert = path.join(directory, `${name}.pem`);
  execFileSync(
    "openssl",
    `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=${name} -addext subjectAltName=DNS:${name} -keyout ${key} -out ${cert}`.split(
      " ",
    ),
    { stdio: "ignore" },
  );
  return { file: cert, tls: { key: readFileSync(key), cert: readFileSync(cert) } };
};
