// Several clients, one engine: who becomes it, who shares it, and when it ends.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, statSync, symlinkSync } from "node:fs";
import net from "node:net";
import path from "node:path";
import { test } from "node:test";

import { bound, patience_ms, wait_until, within } from "./support/deadline.mjs";
import { binary, clean_environment, engine_client } from "./support/engine.mjs";
import { http_request } from "./support/http.mjs";
import { accept_both, initialize_of } from "./support/mcp_http.mjs";
import { pause_process } from "./support/paused_process.mjs";
import { ci_failure, exception } from "./support/samples.mjs";
import { initialized, with_shared_state } from "./support/shared_engine.mjs";

const socket_of = (state_dir) => path.join(state_dir, "engine.sock");

const ended = async (client, ms) => {
  const started = performance.now();
  assert.deepEqual(await client.end(), { code: 0, signal: null }, client.stderr);
  const took = performance.now() - started;
  assert.ok(took < bound(ms), `took ${Math.round(took)} ms`);
};

// A connection to the attach socket that collects lines.
const raw_attach = async (socket_path) => {
  // An engine answers its own editor before it opens the socket for others.
  await wait_until(
    () => existsSync(socket_path),
    () => `no ${socket_path}`,
  );
  const socket = net.connect(socket_path);
  const lines = [];
  let partial = "";
  socket.on("data", (chunk) => {
    const parts = (partial + chunk).split("\n");
    partial = parts.pop();
    lines.push(...parts);
  });
  socket.on("error", () => {});
  const closed = once(socket, "close");
  await once(socket, "connect");
  const line = (index) =>
    wait_until(
      () => lines[index],
      () => `no line ${index}`,
    ).then(JSON.parse);
  return { socket, lines, line, closed };
};

const hello = (more) =>
  JSON.stringify({
    hello: "gasoline",
    protocol: 1,
    role: "client",
    pid: process.pid,
    cwd: "/",
    ...more,
  }) + "\n";

test("eight clients started at once share one engine", async () => {
  await with_shared_state(async ({ start }) => {
    const clients = Array.from({ length: 8 }, () => start());
    await Promise.all(clients.map(initialized));
    const pids = new Set(clients.map((c) => c.engine_pid));
    assert.equal(pids.size, 1, `engines: ${[...pids]}`);
    assert.ok(clients.some((c) => pids.has(c.pid)));
    const { clients: known } = await clients[0].health();
    assert.equal(known.length, 8);
    assert.equal(known.filter((c) => c.transport === "stdio").length, 1);
    assert.equal(known.filter((c) => c.transport === "attach").length, 7);
  });
});

test("clients are apart: streaming, read positions, configuration", async () => {
  await with_shared_state(async ({ start }) => {
    const first = await initialized(start());
    const second = await initialized(start());
    const third = await initialized(start());
    await second.stream({ streaming_action: "enable" });
    await first.post("/ci-result", ci_failure());
    const told = await second.message((m) => m.method === "notifications/message");
    assert.equal(told.params.data.category, "ci");
    for (const client of [first, second, third]) {
      const { block } = await client.observe({ what: "errors" });
      assert.match(block, /ALERTS/, "what one drains, another still sees");
    }
    assert.equal(first.notifications.length, 0);
    assert.equal(third.notifications.length, 0);
    third.child.stdin.end();
    await ended(third, 1000);
    await second.assert_alive();
  });
});

test("the engine's own editor leaves: it serves until the last attached client leaves", async () => {
  await with_shared_state(async ({ start }) => {
    const first = await initialized(start());
    const second = await initialized(start());
    assert.equal(second.engine_pid, first.pid);
    first.child.stdin.end();
    await wait_until(
      async () => (await second.health()).clients.length === 1,
      () => "the first client is still listed",
      { every: 250 },
    );
    assert.equal(first.child.exitCode, null);
    await first.post("/logs", exception("still collected"));
    assert.equal((await second.observe({ what: "errors" })).count, 1);
    second.child.stdin.end();
    await Promise.all([ended(first, 1000), ended(second, 1000)]);
    assert.ok(!existsSync(socket_of(first.state_dir)), "the socket is gone");
  });
});

test("HTTP clients do not keep an engine that an editor has started", async () => {
  await with_shared_state(async ({ start }) => {
    const first = await initialized(start());
    const response = await first.http({
      method: "POST",
      path: "/mcp",
      headers: { accept: accept_both },
      body: initialize_of("2025-06-18"),
    });
    assert.equal(response.status, 200);
    first.child.stdin.end();
    await ended(first, 1000);
  });
});

test("a request in a pipe that ends at once is answered through the socket", async () => {
  await with_shared_state(async ({ state_dir, start }) => {
    await initialized(start());
    const child = spawn(binary, ["mcp", "--port", "0", "--state-dir", state_dir], {
      env: clean_environment(state_dir),
    });
    const client = new engine_client(child, state_dir, false);
    const ids = Array.from({ length: 50 }, (_, i) => i + 2);
    client.send({ ...initialize_of("2025-06-18"), id: 1 });
    for (const id of ids) client.send({ jsonrpc: "2.0", id, method: "tools/list" });
    child.stdin.end('{"jsonrpc":"2.0","id":"last","method":"ping"}');
    assert.deepEqual(await client.end(), { code: 0, signal: null });
    assert.deepEqual(new Set(client.messages.map((m) => m.id)), new Set([1, ...ids, "last"]));
    client.assert_clean();
  });
});

test("lines pass unchanged: 2 MB, ill-formed and overlong ones", async () => {
  await with_shared_state(async ({ start }) => {
    await initialized(start());
    const second = await initialized(start());
    const text = "x".repeat(2_000_000);
    const large = await second.request("tools/call", {
      name: "observe",
      arguments: { what: text },
    });
    assert.equal(large.result.isError, true);
    const [broken] = await second.told_about("{broken");
    assert.equal(broken.error.code, -32700);
    const [utf8] = await second.told_about(Buffer.from([0x22, 0xff, 0xfe, 0x22]));
    assert.equal(utf8.error.code, -32700);
    const [overlong] = await second.told_about(`"${"y".repeat(11 << 20)}"`);
    assert.equal(overlong.error.code, -32600);
    await second.assert_alive();
  });
});

test("an attached client that does not read is not read, and harms nobody", async () => {
  await with_shared_state(async ({ state_dir, start }) => {
    const first = await initialized(start());
    const slow = await raw_attach(socket_of(state_dir));
    slow.socket.write(hello());
    assert.equal((await slow.line(0)).role, "engine");
    slow.socket.pause();
    const ping = '{"jsonrpc":"2.0","id":1,"method":"nothing/such"}\n';
    let writable = true;
    let sent = 0;
    while (writable && sent < 64 << 20) {
      writable = slow.socket.write(ping.repeat(1000));
      sent += ping.length * 1000;
      if (!writable)
        writable = await Promise.race([
          once(slow.socket, "drain").then(() => true),
          within(once(slow.socket, "drain"), 1000, () => "").then(
            () => true,
            () => false,
          ),
        ]);
    }
    assert.ok(sent < 64 << 20, "the engine reads on and on");
    await first.assert_alive();
    slow.socket.destroy();
    await wait_until(
      async () => (await first.health()).clients.length === 1,
      () => "the slow client is still listed",
      { every: 250 },
    );
  });
});

test("what is no hello is refused; a connection that says nothing is dropped", async () => {
  await with_shared_state(async ({ state_dir, start }) => {
    const first = await initialized(start());
    const junk = await raw_attach(socket_of(state_dir));
    junk.socket.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
    assert.match((await junk.line(0)).error, /no hello/);
    await junk.closed;
    const other = await raw_attach(socket_of(state_dir));
    other.socket.write(hello({ protocol: 99 }));
    assert.match((await other.line(0)).error, /version 99/);
    await other.closed;
    const endless = await raw_attach(socket_of(state_dir));
    endless.socket.write("z".repeat(11 << 20));
    endless.socket.write("\n");
    await within(endless.closed, patience_ms, () => "an endless hello is still open");
    const silent = await raw_attach(socket_of(state_dir));
    await within(silent.closed, patience_ms, () => "a silent connection is still open");
    assert.deepEqual(silent.lines, []);
    const { clients } = await first.health();
    assert.equal(clients.length, 1);
  });
});

test("connections closed in every phase leave nothing behind", async () => {
  await with_shared_state(async ({ state_dir, start }) => {
    const first = await initialized(start());
    await first.port(); // everything is open by then
    const descriptors = () => readdirSync(`/proc/${first.pid}/fd`).length;
    const before = descriptors();
    for (const text of ["", "{", hello(), hello() + '{"jsonrpc":"2.0","id":1,"method":"ping"}\n'])
      for (let i = 0; i < 25; ++i) {
        const { socket, closed } = await raw_attach(socket_of(state_dir));
        socket.end(text);
        if (i % 2) socket.destroy();
        socket.resume();
        await within(closed, patience_ms, () => `still open after ${JSON.stringify(text)}`);
      }
    await wait_until(
      async () => (await first.health()).clients.length === 1 && descriptors() <= before,
      () => `${descriptors()} descriptors, ${before} before`,
      { every: 250 },
    );
  });
});

test("socket and lock are the user's alone", async () => {
  await with_shared_state(async ({ state_dir, start }) => {
    const first = await initialized(start());
    await first.port(); // everything is open by then
    assert.equal(statSync(socket_of(state_dir)).mode & 0o777, 0o600);
    assert.equal(statSync(path.join(state_dir, "engine.lock")).mode & 0o777, 0o600);
    assert.equal(
      Number(readFileSync(path.join(state_dir, "engine.lock"), "utf8").split("\n")[0]),
      first.pid,
    );
  });
});

test("the socket is in the runtime directory, and found by who has no such variable", async () => {
  await with_shared_state(async ({ state_dir }) => {
    const env = { ...clean_environment(state_dir), XDG_RUNTIME_DIR: path.join(state_dir, "run") };
    mkdirSync(env.XDG_RUNTIME_DIR);
    const launch = (environment) => {
      const child = spawn(binary, ["mcp", "--port", "0"], { env: environment });
      return new engine_client(child, path.join(state_dir, ".local/state/gasoline"), false);
    };
    const first = launch(env);
    const clients = [first];
    try {
      await initialized(first);
      await first.port(); // everything is open by then
      const lock = readFileSync(path.join(first.state_dir, "engine.lock"), "utf8").split("\n");
      assert.ok(lock[1].startsWith(path.join(env.XDG_RUNTIME_DIR, "gasoline", "engine-")));
      assert.ok(existsSync(lock[1]));
      clients.push(launch(clean_environment(state_dir)));
      await initialized(clients[1]);
      assert.equal(clients[1].engine_pid, first.pid);
    } finally {
      for (const { child } of clients) child.kill("SIGKILL");
    }
  });
});

test("a state directory with a path too long for a socket, and another name for it", async () => {
  await with_shared_state(async ({ state_dir, start }) => {
    const deep = path.join(state_dir, "d".repeat(100));
    mkdirSync(deep);
    const first = await initialized(start({ state_dir: deep }));
    symlinkSync(deep, path.join(state_dir, "alias"));
    const second = await initialized(start({ state_dir: path.join(state_dir, "alias") }));
    assert.equal(second.engine_pid, first.pid);
  });
});

test("a stopped engine: a further client works alone and says why", async () => {
  await with_shared_state(async ({ start }) => {
    const first = await initialized(start());
    const port = await first.port();
    await pause_process(first.pid);
    try {
      const second = await initialized(start({ port }));
      assert.equal(second.engine_pid, second.pid);
      assert.match(second.stderr, new RegExp(`process ${first.pid}\\b.*alone`));
      const { http_problem } = await wait_until(
        async () => {
          const health = await second.health();
          return health.http_problem && health;
        },
        () => second.stderr,
        { every: 250 },
      );
      assert.match(http_problem, new RegExp(`\\b${port}\\b.*\\b${first.pid}\\b`));
      process.kill(first.pid, "SIGCONT");
      await first.assert_alive();
      assert.equal((await http_request(port, { path: "/health" })).json.pid, first.pid);
      await second.stop();
      assert.equal(await first.port(), port, "its port file is untouched");
    } finally {
      process.kill(first.pid, "SIGCONT");
    }
  });
});

test("serve: shared by editors, outlives them, refuses a second one, ends on SIGTERM", async () => {
  await with_shared_state(async ({ state_dir, start }) => {
    const launch = () =>
      spawn(binary, ["serve", "--port", "0", "--state-dir", state_dir], {
        env: clean_environment(state_dir),
      });
    const daemon = launch();
    daemon.stdout.resume();
    daemon.stderr.resume();
    const exited = once(daemon, "exit");
    try {
      // A client that is there first would be the engine itself.
      await wait_until(
        () => existsSync(path.join(state_dir, "port")),
        () => "the daemon has not opened",
      );
      const client = start();
      const port = await client.port();
      await initialized(client);
      assert.equal(client.engine_pid, daemon.pid);
      client.child.stdin.end();
      await ended(client, 1000);
      assert.equal((await http_request(port, { path: "/health" })).json.pid, daemon.pid);

      const second = launch();
      let complaint = "";
      second.stderr.on("data", (chunk) => (complaint += chunk));
      const [code] = await within(once(second, "close"), patience_ms, () => "a second daemon runs");
      assert.equal(code, 1);
      assert.match(complaint, new RegExp(`pid ${daemon.pid}\\b.*kill ${daemon.pid}\\b`));
      process.kill(daemon.pid, 0);

      const started = performance.now();
      daemon.kill("SIGTERM");
      assert.deepEqual(await within(exited, patience_ms, () => "serve still runs"), [0, null]);
      assert.ok(performance.now() - started < bound(2000));
    } finally {
      daemon.kill("SIGKILL");
    }
  });
});

test("a health document larger than the socket's buffer reaches a slow observer whole", async () => {
  await with_shared_state(async ({ state_dir, start }) => {
    const engine = await initialized(start());
    const port = await engine.port();
    const name = "n".repeat(90);
    for (let i = 0; i < 1500; ++i)
      await http_request(port, {
        method: "POST",
        path: "/mcp",
        headers: { accept: accept_both },
        body: initialize_of("2025-06-18", {}, `${name} ${i}`),
      });
    const observer = await raw_attach(socket_of(state_dir));
    observer.socket.pause();
    observer.socket.write(hello({ role: "observer" }));
    await engine.health();
    observer.socket.resume();
    await within(observer.closed, patience_ms, () => "the engine does not close");
    assert.equal(observer.lines.length, 2);
    assert.ok(observer.lines[1].length > 250_000, `${observer.lines[1].length} bytes`);
    const health = JSON.parse(observer.lines[1]);
    assert.equal(health.clients.length, 1501);
  });
});

test("doctor shows lock, socket and clients, without a port and with a token", async () => {
  await with_shared_state(async ({ state_dir, start }) => {
    const doctor = async () => {
      const child = spawn(binary, ["doctor", "--state-dir", state_dir], {
        env: clean_environment(state_dir),
      });
      let text = "";
      child.stdout.on("data", (chunk) => (text += chunk));
      const [code] = await within(once(child, "close"), patience_ms, () => "doctor still runs");
      return { code, text };
    };
    const before = await doctor();
    assert.equal(before.code, 1);
    assert.match(before.text, /lock: +free/);
    const first = await initialized(start({ args: ["--require-token"] }));
    await initialized(start());
    const { code, text } = await doctor();
    assert.equal(code, 0, text);
    assert.match(text, new RegExp(`lock: +held by pid ${first.pid}\\b`));
    assert.ok(text.includes(socket_of(state_dir)));
    assert.match(text, /token required: yes/);
    assert.match(text, /protocol tests over attach/);
    assert.match(text, /protocol tests over stdio/);
    chmodSync(path.join(state_dir, "token"), 0o644);
    assert.match((await doctor()).text, /chmod 600/);
  });
});
