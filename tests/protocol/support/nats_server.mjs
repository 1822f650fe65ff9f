import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import net from "node:net";

import { wait_until } from "./deadline.mjs";
import { temporary_directory } from "./engine.mjs";

export const has_nats_server = spawnSync("nats-server", ["--version"]).status === 0;

// Different ones, so they are all taken before the first is given back.
const free_ports = async (count) => {
  const servers = Array.from({ length: count }, () => net.createServer().listen(0, "127.0.0.1"));
  await Promise.all(servers.map((server) => once(server, "listening")));
  const ports = servers.map((server) => server.address().port);
  for (const server of servers) server.close();
  await Promise.all(servers.map((server) => once(server, "close")));
  return ports;
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
    const server = new nats_server((await free_ports(1))[0], args);
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
      async () => {
        if (!this.running) throw new Error(`nats-server ended: ${this.log}`);
        return answers(this.port);
      },
      () => this.log,
    );
  }

  get running() {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  async kill() {
    const ended = once(this.child, "exit");
    this.child.kill("SIGKILL");
    await ended;
  }

  async remove() {
    if (this.running) await this.kill();
    rmSync(this.directory, { recursive: true, force: true });
  }
}

// Servers that keep streams together; each can be killed and started again.
export class nats_cluster {
  static async start(size = 3) {
    const cluster = new nats_cluster();
    const ports = await free_ports(3 * size);
    const routes = ports.splice(0, size).map((port) => `nats://127.0.0.1:${port}`);
    cluster.nodes = routes.map((route, i) => {
      const [name, port, monitor] = [`n${i}`, ...ports.splice(0, 2)];
      const node = new nats_server(port, [
        ...["-n", name, "-m", String(monitor)],
        ...["--cluster_name", "tests", "--cluster", route, "--routes", routes.join(",")],
      ]);
      return Object.assign(node, { name, monitor });
    });
    await Promise.all(cluster.nodes.map((node) => node.start()));
    return cluster;
  }

  get url() {
    return this.nodes.map(({ url }) => url).join(",");
  }

  // What the node that leads a stream knows of it; the others do not know how far each other are.
  async #report(stream) {
    for (const node of this.nodes.filter(({ running }) => running)) {
      const url = `http://127.0.0.1:${node.monitor}/jsz?accounts=1&streams=1&config=1`;
      const { account_details } = await (await fetch(url)).json();
      const found = account_details
        ?.flatMap(({ stream_detail }) => stream_detail ?? [])
        .find(({ name }) => name === `gasoline_${stream}`);
      if (found?.cluster?.leader === node.name) return found;
    }
    return undefined;
  }

  // The configuration and state of a stream once it has a leader and its replicas have caught up.
  settled(stream) {
    return wait_until(
      async () => {
        const found = await this.#report(stream);
        const replicas = found?.cluster.replicas ?? [];
        return replicas.every(({ current, offline }) => current && !offline) && found;
      },
      () => `stream ${stream} has not settled`,
      { ms: 60_000, every: 50 },
    );
  }

  async remove() {
    await Promise.all(this.nodes.map((node) => node.remove()));
  }
}
