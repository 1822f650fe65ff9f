// What the engine keeps is its user's alone: files and directories that others have made, linked or
// opened are refused, and the token is shown to nobody else.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { test } from "node:test";

import { with_daemon } from "./support/daemon.mjs";
import { wait_until } from "./support/deadline.mjs";
import {
  binary,
  clean_environment,
  engine_client,
  temporary_directory,
} from "./support/engine.mjs";
import { exception } from "./support/samples.mjs";
import { initialized, with_shared_state } from "./support/shared_engine.mjs";

const nobody = 65534;
const root_only = {
  skip: process.getuid() === 0 ? false : "needs root to become another user",
};

const run = (args, directory) =>
  spawnSync(binary, args, {
    input: "",
    encoding: "utf8",
    env: clean_environment(directory),
    timeout: 20_000,
  });

test("a state directory that others may write to is refused, and nothing in it is touched", () => {
  for (const mode of [0o777, 0o1777, 0o770, 0o775, 0o702]) {
    const directory = temporary_directory();
    const state = path.join(directory, "state");
    const diary = path.join(directory, "diary");
    writeFileSync(diary, "mine");
    mkdirSync(state);
    for (const name of ["port", "port.new", "gasoline.log", "trace.db", "engine.lock", "token"])
      symlinkSync(diary, path.join(state, name));
    chmodSync(state, mode);
    for (const command of ["serve", "mcp"]) {
      const { status, stderr } = run([command, "--port", "0", "--state-dir", state], directory);
      assert.equal(status, 2, `${command} ${mode.toString(8)}: ${stderr}`);
      assert.match(stderr, /can be written by other users.*chmod 700/);
    }
    assert.equal(readFileSync(diary, "utf8"), "mine");
    const { stdout } = run(["doctor", "--state-dir", state], directory);
    assert.match(stdout, /wrong: .*can be written by other users/);
  }
});

test("a state directory of another user's, or a link of his to one's own, is refused", root_only, () => {
  const directory = temporary_directory();
  const theirs = path.join(directory, "theirs");
  mkdirSync(theirs, { mode: 0o755 });
  chownSync(theirs, nobody, nobody);
  const own = path.join(directory, "own");
  mkdirSync(own, { mode: 0o700 });
  const link = path.join(directory, "link");
  symlinkSync(own, link);
  spawnSync("chown", ["-h", String(nobody), link]);
  for (const state of [theirs, link]) {
    const { status, stderr } = run(["serve", "--port", "0", "--state-dir", state], directory);
    assert.equal(status, 2, stderr);
    assert.match(stderr, /another user of this machine \(uid 65534\)/);
  }
});

test("links in the state directory are not followed", async () => {
  const directory = temporary_directory();
  const state = path.join(directory, "state");
  const diary = path.join(directory, "diary");
  mkdirSync(state, { mode: 0o700 });
  writeFileSync(diary, "mine");
  for (const name of ["port", "gasoline.log", "trace.db", "trace.db-wal"])
    symlinkSync(diary, path.join(state, name));
  await with_daemon(
    async (engine) => {
      await wait_until(
        () => lstatSync(path.join(state, "port")).isFile(),
        () => engine.stderr,
      );
      const port = await engine.port();
      assert.equal((await engine.post("/logs", exception("seen"))).status, 200);
      assert.equal(readFileSync(diary, "utf8"), "mine");
      assert.match(engine.stderr, /gasoline\.log is a link/);
      const health = JSON.parse((await engine.http({ path: "/health" })).text);
      assert.equal(health.port, port);
      assert.match(health.trace.problem, /trace\.db is a link/);
    },
    { state_dir: state },
  );
  assert.equal(readFileSync(diary, "utf8"), "mine");
});

test("a lock or a token that is a link is not followed either", async () => {
  const directory = temporary_directory();
  const diary = path.join(directory, "diary");
  writeFileSync(diary, "minemineminemine\n", { mode: 0o600 });
  for (const [name, sentence] of [
    ["engine.lock", /engine\.lock is a link.*works alone/],
    ["token", /token file .*token .*cannot be read/],
  ]) {
    const state = path.join(directory, name + ".d");
    mkdirSync(state, { mode: 0o700 });
    symlinkSync(diary, path.join(state, name));
    const { stderr } = run(["mcp", "--port", "0", "--state-dir", state], directory);
    assert.match(stderr, sentence);
    assert.equal(readFileSync(diary, "utf8"), "minemineminemine\n");
  }
});

test("all that is written is the user's alone, whatever the umask and the old files", async () => {
  const state = temporary_directory();
  const record = path.join(state, "recorded.jsonl");
  for (const file of [record, path.join(state, "gasoline.log"), path.join(state, "trace.db")])
    writeFileSync(file, "", { mode: 0o644 });
  const child = spawn(
    "sh",
    ["-c", 'umask 0; exec "$0" "$@"', binary, "serve", "--port", "0", "--state-dir", state].concat([
      "--record",
      record,
    ]),
    { env: clean_environment(state), cwd: state },
  );
  const engine = new engine_client(child, state, false);
  try {
    await engine.port();
    assert.equal((await engine.post("/logs", exception("recorded"))).status, 200);
    await wait_until(
      () => readFileSync(record, "utf8").includes("recorded"),
      () => "nothing is recorded",
    );
    const files = readdirSync(state).filter((name) => !name.startsWith("."));
    assert.ok(files.includes("trace.db") && files.includes("token") && files.includes("port"));
    for (const name of files)
      assert.equal(statSync(path.join(state, name)).mode & 0o077, 0, `${name} is open to others`);
  } finally {
    child.kill("SIGKILL");
    await engine.exited;
  }
});

test("a token of another user's, or open to the group, is not taken", root_only, () => {
  const directory = temporary_directory();
  const file = path.join(directory, "token");
  writeFileSync(file, "s3cret-of-somebody\n");
  for (const [owner, mode, sentence] of [
    [nobody, 0o640, /another user of this machine \(uid 65534\)/],
    [nobody, 0o600, /another user/],
    [0, 0o640, /other users of its group.*chmod 600/],
    [0, 0o620, /other users of its group/],
  ]) {
    chownSync(file, owner, 0);
    chmodSync(file, mode);
    const own = run(["serve", "--port", "0", "--state-dir", directory, "--require-token"], directory);
    assert.match(own.stderr, sentence);
    assert.notEqual(own.status, 0);
    const named = ["serve", "--port", "0", "--state-dir", directory, "--token-file", file];
    const other = run(named, directory);
    assert.equal(other.status, 2);
    assert.match(other.stderr, sentence);
  }
});

test("settings that others could have written are not followed", root_only, () => {
  const directory = temporary_directory();
  const file = path.join(directory, "config.json");
  writeFileSync(file, "{}");
  for (const [owner, group, mode, sentence] of [
    [0, 0, 0o666, /every user of this machine.*chmod go-w/],
    [0, nobody, 0o664, /other users of its group/],
    [nobody, 0, 0o644, /another user of this machine/],
  ]) {
    chownSync(file, owner, group);
    chmodSync(file, mode);
    const { status, stderr } = run(["doctor", "--state-dir", directory, "--config", file], directory);
    assert.equal(status, 2, stderr);
    assert.match(stderr, sentence);
  }
});

test("settings in a pipe that another user has made are not waited for", root_only, () => {
  const directory = temporary_directory();
  const pipe = path.join(directory, "config");
  spawnSync("mkfifo", ["-m", "666", pipe]);
  chownSync(pipe, nobody, nobody);
  const { status, stderr } = run(["doctor", "--state-dir", directory, "--config", pipe], directory);
  assert.equal(status, 2, stderr);
  assert.match(stderr, /another user of this machine/);
});

test("settings may come through a pipe of one's own", () => {
  const directory = temporary_directory();
  const script = `exec "$0" doctor --state-dir "$1" --config <(sleep 0.1; echo '{"port": 45123}')`;
  const { stdout, stderr } = spawnSync("bash", ["-c", script, binary, directory], {
    encoding: "utf8",
    env: clean_environment(directory),
    timeout: 20_000,
  });
  assert.match(stdout, /45123 \(configured\)/, stderr);
});

test("a file with a second name is not written to", async () => {
  const directory = temporary_directory();
  const diary = path.join(directory, "diary");
  const record = path.join(directory, "record");
  writeFileSync(diary, "mine");
  linkSync(diary, record);
  await with_daemon(
    async (engine) => {
      assert.equal((await engine.post("/logs", exception("seen"))).status, 200);
      assert.match(engine.stderr, /record has a second name elsewhere/);
    },
    { args: ["--record", record] },
  );
  assert.equal(readFileSync(diary, "utf8"), "mine");
});

test("pipes, directories and devices under the names of the state directory hang nothing", async () => {
  const makers = {
    pipe: (file) => spawnSync("mkfifo", [file]),
    directory: (file) => mkdirSync(file),
    link: (file) => symlinkSync("/dev/zero", file),
  };
  for (const [kind, make] of Object.entries(makers)) {
    const state = path.join(temporary_directory(), "state");
    mkdirSync(state, { mode: 0o700 });
    for (const name of ["gasoline.log", "trace.db", "token"]) make(path.join(state, name));
    await with_daemon(
      async (engine) => {
        assert.equal((await engine.post("/logs", exception("seen"))).status, 200, kind);
        for (const name of ["gasoline.log", "trace.db", "token"])
          assert.match(engine.stderr, new RegExp(`${name.replace(".", "\\.")}\\b`), `${kind}: ${name}`);
      },
      { state_dir: state },
    );
  }
});

test("a directory for sockets that others have made is left alone, and editors still meet", async () => {
  const makers = [
    (dir) => {
      mkdirSync(dir);
      chmodSync(dir, 0o777);
    },
    (dir, elsewhere) => symlinkSync(elsewhere, dir),
    (dir) => {
      mkdirSync(dir, { mode: 0o755 });
    },
  ];
  for (const make of makers)
    await with_shared_state(async ({ state_dir }) => {
      const env = { ...clean_environment(state_dir), XDG_RUNTIME_DIR: path.join(state_dir, "run") };
      const elsewhere = path.join(state_dir, "elsewhere");
      mkdirSync(env.XDG_RUNTIME_DIR);
      mkdirSync(elsewhere, { mode: 0o700 });
      make(path.join(env.XDG_RUNTIME_DIR, "gasoline"), elsewhere);
      const launch = () => {
        const child = spawn(binary, ["mcp", "--port", "0"], { env, cwd: state_dir });
        return new engine_client(child, path.join(state_dir, ".local/state/gasoline"), false);
      };
      const clients = [launch()];
      try {
        const first = await initialized(clients[0]);
        assert.match(first.stderr, /attach socket is in .* instead/);
        const socket = readFileSync(path.join(first.state_dir, "engine.lock"), "utf8").split("\n")[1];
        assert.equal(statSync(path.dirname(socket)).mode & 0o777, 0o700);
        assert.ok(lstatSync(socket).isSocket());
        assert.deepEqual(readdirSync(elsewhere), []);
        clients.push(launch());
        const second = await initialized(clients[1]);
        assert.equal(second.engine_pid, first.pid);
        await second.stop();
        await first.stop();
        assert.ok(!existsSync(path.dirname(socket)), "its directory goes with the engine");
      } finally {
        for (const { child } of clients) child.kill("SIGKILL");
      }
    });
});

// A program of another user that listens as an engine would and tells what it is sent.
const stranger = `
const server = require("net").createServer((socket) => {
  socket.on("data", (bytes) => {
    process.stdout.write(bytes);
    const body = JSON.stringify({"service-name": "gasoline", version: "\\u001b[31mX", clients: []});
    socket.end("HTTP/1.1 200 OK\\r\\nContent-Length: " + body.length + "\\r\\n\\r\\n" + body);
  });
});
server.listen(0, "127.0.0.1", () => process.stderr.write(String(server.address().port)));
`;

test("the token is not shown to another user's program on the port", root_only, async () => {
  const state = temporary_directory();
  writeFileSync(path.join(state, "token"), "tok-0123456789-tok\n", { mode: 0o600 });
  const child = spawn("/usr/bin/env", ["node", "-e", stranger], { uid: nobody, gid: nobody, cwd: "/" });
  let heard = "";
  child.stdout.on("data", (bytes) => (heard += bytes));
  try {
    const [port] = await once(child.stderr, "data");
    writeFileSync(path.join(state, "port"), `${port}\n`);
    const doctor = run(["doctor", "--state-dir", state], state);
    assert.equal(doctor.status, 1);
    assert.match(doctor.stdout, /is held by node/);
    assert.ok(!doctor.stdout.includes("\u001b"));
    for (const args of [
      ["publish", "news", "hello"],
      ["tail", "alerts"],
      ["tail", "session", "ses_1"],
      ["open"],
    ]) {
      const { status, stderr } = run([...args, "--state-dir", state], state);
      assert.equal(status, 1, args.join(" "));
      assert.match(stderr, /not known to be one of this user's/);
    }
    assert.equal(heard, "");
  } finally {
    child.kill("SIGKILL");
  }
});

test("doctor prints the hash by which a page takes this script only", async () => {
  await with_daemon(async (engine) => {
    const { text } = await engine.http({ path: "/gasoline.js" });
    const hash = createHash("sha384").update(text).digest("base64");
    const { stdout } = run(["doctor", "--state-dir", engine.state_dir], engine.state_dir);
    assert.ok(stdout.includes(`integrity="sha384-${hash}"`), stdout);
    assert.equal((await engine.post("/logs", exception("settled"))).status, 200);
  });
});

test("another user who sends and goes at once has done nothing", root_only, async () => {
  await with_daemon(async (engine, port) => {
    const sender = `
      const socket = require("net").connect(${port}, "127.0.0.1", () => {
        const body = '{"entries":[{"level":"error","message":"planted"}]}';
        socket.write("POST /logs HTTP/1.1\\r\\nHost: localhost\\r\\nContent-Type: application/json\\r\\n" +
          "Content-Length: " + body.length + "\\r\\n\\r\\n" + body, () => process.kill(process.pid, "SIGKILL"));
      });`;
    for (let i = 0; i < 5; ++i)
      spawnSync("/usr/bin/env", ["node", "-e", sender], { uid: nobody, gid: nobody, cwd: "/" });
    const health = JSON.parse((await engine.http({ path: "/health" })).text);
    assert.ok(health.http.requests_refused >= 1, JSON.stringify(health.http));
    assert.equal(health.sources.logs ?? null, null);
    assert.equal((await engine.post("/logs", exception("settled"))).status, 200);
  });
});
