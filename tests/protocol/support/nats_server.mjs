import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import net from "node:net";

import { wait_until } from "./deadline.mjs";
import { temporary_directory } from "./engine.mjs";

export const has_nats_server = spawnSync("nats-server", ["--version"]).status === 0;

export const free_port = async () => {
  const server = net.createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
};

const answers = (port) =>
  new Promise((resolve) => {
    const socket = net.connect(port, "127.0.0.1");
    socket.once("data", () => resolve(true)).once("error", () => resolve(false));
    socket.once("close", () => resolve(false));
    socket.once("data", () => socket.destroy());
  });

// A nats-server with JetStream that can be killed and started again on the same port and files.
export class nats_server {
  #args;

  constructor(port, args) {
    this.port = port;
    this.directory = temporary_directory();
    this.#args = ["-a", "127.0.0.1", "-p", String(port), "-js", "-sd", this.directory, ...args];
  }

  static async start(...args) {
    const server = new nats_server(await free_port(), args);
    await server.start();
    return server;
  }

  get url() {
    return `nats://127.0.0.1:${this.port}`;
  }

  async start() {
    this.log = "";
    this.child = spawn("nats-server", this.#args, { stdio: ["ignore", "ignore", "pipe"] });
    this.child.stderr.on("data", (chunk) => (this.log += chunk));
    await wait_until(
      () => answers(this.port),
      () => this.log,
    );
  }

  async kill() {
    const ended = once(this.child, "exit");
    this.child.kill("SIGKILL");
    await ended;
  }

  async remove() {
    if (this.child.exitCode === null && this.child.signalCode === null) await this.kill();
    rmSync(this.directory, { recursive: true, force: true });
  }
}
