// Engines whose named streams are on a nats-server, and short ways to them.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";

import { start_daemon } from "./daemon.mjs";
import { binary } from "./engine.mjs";
import { number_of, open_stream } from "./event_stream.mjs";
import { http_request } from "./http.mjs";
import { has_nats_server, nats_server } from "./nats_server.mjs";

const version = spawnSync(binary, ["--version"], { encoding: "utf8" }).stdout;
export const has_nats_client = !version.includes("NATS client: absent");

// Why tests with a nats-server cannot run here.
export const skip =
  (!has_nats_server && "nats-server is not installed") ||
  (!has_nats_client && "this build has no NATS client");

// One engine and short ways to its streams.
export class peer {
  static async start(config, more = {}) {
    const self = new peer();
    self.engine = start_daemon({ config: { streams: { backend: "nats" }, ...config }, ...more });
    self.port = await self.engine.port();
    return self;
  }

  send(method, where, body) {
    return http_request(this.port, { method, path: where, body });
  }

  async create(name, more = {}) {
    const answer = await this.send("POST", "/streams", { name, stream_type: "sse", ...more });
    assert.equal(answer.status, 201, answer.text);
  }

  async publish(name, body) {
    const answer = await this.send("POST", `/streams/${name}/events`, body);
    assert.equal(answer.status, 200, answer.text);
    return answer.json;
  }

  async stream(name) {
    return (await this.send("GET", `/streams/${name}`)).json.streams[0];
  }

  open(name, headers) {
    return open_stream(this.port, { path: `/streams/${name}/events`, headers });
  }

  async call(name, args) {
    const answer = await http_request(this.port, {
      method: "POST",
      path: "/mcp",
      headers: { "x-gasoline-client": "nats test", accept: "application/json" },
      body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } },
    });
    return JSON.parse(answer.json.result.content[0].text);
  }

  async health() {
    return (await this.send("GET", "/health")).json.named_streams;
  }

  stop() {
    return this.engine.stop();
  }
}

export const shown = ({ events }) => events.filter(({ data }) => data !== undefined);
export const data_of = (reader) => shown(reader).map(({ data }) => JSON.parse(data));
export const ids_of = (reader) => shown(reader).map(({ id }) => number_of(id));
export const count_to = (n) => Array.from({ length: n }, (_, i) => i);

// For the length of `use`: a server and engines on it.
export const with_peers = async (count, use, { server_args = [], url, ...config } = {}) => {
  const server = await nats_server.start(...server_args);
  const peers = [];
  try {
    for (const _ of count_to(count))
      peers.push(
        await peer.start({ ...config, nats: { url: url?.(server) ?? server.url, ...config.nats } }),
      );
    await use(...peers, server);
    await Promise.all(peers.map((one) => one.stop()));
  } finally {
    await Promise.allSettled(peers.map((one) => one.stop()));
    await server.remove();
  }
};
