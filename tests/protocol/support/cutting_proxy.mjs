// A TCP proxy that cuts connections: after a random number of bytes, all at once, or by not letting
// any through.
import { once } from "node:events";
import net from "node:net";

// Random numbers that a seed repeats (xorshift32), so that a failure can be run again.
export const random_of = (seed) => {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
};

export class cutting_proxy {
  cuts = 0; // connections that were cut within their bytes
  open_to_all = true; // false: connections are dropped at once
  cut_after = () => Infinity; // bytes towards the client, asked for each connection
  #pairs = new Set();
  #server;

  constructor(target_port) {
    this.#server = net.createServer((client) => this.#accept(client, target_port));
  }

  async listen() {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    this.port = this.#server.address().port;
    return this;
  }

  #accept(client, target_port) {
    client.on("error", () => {});
    if (!this.open_to_all) return client.destroy();
    const server = net.connect(target_port, "127.0.0.1");
    const pair = { client, server };
    this.#pairs.add(pair);
    let left = this.cut_after();
    server.on("data", (bytes) => {
      client.write(bytes.subarray(0, left));
      left -= bytes.length;
      if (left > 0) return;
      this.cuts += 1;
      // The bytes before the cut still arrive, often with half a frame at their end.
      client.destroySoon();
      server.destroy();
    });
    client.on("data", (bytes) => server.write(bytes));
    server.on("error", () => {});
    const end = () => {
      this.#pairs.delete(pair);
      client.destroySoon();
      server.destroy();
    };
    client.on("close", end);
    server.on("close", end);
  }

  cut_all() {
    for (const { client, server } of this.#pairs) {
      client.destroy();
      server.destroy();
    }
  }

  async close() {
    this.cut_all();
    this.#server.close();
    await once(this.#server, "close");
  }
}
