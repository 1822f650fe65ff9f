// What the bench compares session streams with: Node's `ws`, relaying the frames of a POST to every
// client. Needs the npm package `ws` (tests/protocol has it). Prints its port.
import http from "node:http";
import { createRequire } from "node:module";

const { WebSocketServer } = createRequire(
  new URL("../../tests/protocol/package.json", import.meta.url),
)("ws");

const server = http.createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request) body += chunk;
  for (const event of JSON.parse(body).events) {
    const frame = JSON.stringify({ type: "event", event });
    for (const client of sockets.clients) client.send(frame);
  }
  response.setHeader("Content-Type", "application/json");
  response.end("{}");
});
const sockets = new WebSocketServer({ server, perMessageDeflate: false });
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
process.stdin.on("end", () => process.exit()).resume();
