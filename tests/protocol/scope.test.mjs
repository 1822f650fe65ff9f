// Two projects, two clients, one engine: nothing crosses.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

import {
  binary,
  clean_environment,
  start_engine,
  temporary_directory,
} from "./support/engine.mjs";

const fault = (mark, page) => ({
  entries: [
    {
      level: "error",
      type: "exception",
      message: `Uncaught TypeError: ${mark} is not a function`,
      url: page,
      ts: new Date().toISOString(),
    },
  ],
});

// A dev server of a project: a process that listens and runs in its directory.
const dev_server = async (directory) => {
  const child = spawn(
    process.execPath,
    ["-e", "const s=require('net').createServer().listen(0,'127.0.0.1',()=>console.log(s.address().port))"],
    { cwd: directory, stdio: ["ignore", "pipe", "ignore"] },
  );
  const [text] = await once(child.stdout, "data");
  return { child, page: `http://localhost:${String(text).trim()}/` };
};

const hook = (state_dir, id, cwd) =>
  new Promise((done) => {
    const args = ["hook", "--client", "claude", "--event", "PostToolBatch", "--state-dir", state_dir];
    const child = spawn(binary, args, { env: clean_environment(state_dir) });
    let out = "";
    child.stdout.on("data", (piece) => (out += piece));
    child.on("close", () => done(out));
    child.stdin.end(JSON.stringify({ session_id: id, cwd }));
  });

const with_two = async (use, prepare = () => {}) => {
  const state_dir = temporary_directory();
  const a = path.join(state_dir, "a");
  const b = path.join(state_dir, "b");
  for (const directory of [a, b]) mkdirSync(path.join(directory, ".git"), { recursive: true });
  prepare(a, b);
  const clients = [];
  const servers = [];
  try {
    for (const cwd of [a, b]) {
      const client = start_engine({ state_dir, cwd });
      clients.push(client);
      await client.initialize();
      servers.push(await dev_server(cwd));
    }
    const [in_a, in_b] = clients;
    await use({
      state_dir,
      a: { client: in_a, directory: a, page: servers[0].page },
      b: { client: in_b, directory: b, page: servers[1].page },
    });
  } finally {
    for (const client of clients) client.child.kill("SIGKILL");
    for (const { child } of servers) child.kill("SIGKILL");
  }
};

const text_of = (value) => JSON.stringify(value);

test("blocks, hooks, pushes, waiting calls, listings and resources stay with their project", async () => {
  await with_two(async ({ state_dir, a, b }) => {
    for (const { client } of [a, b])
      await client.stream({ streaming_action: "enable", events: ["all"], throttle_seconds: 1 });
    const waiting = b.client.call("observe", { what: "alerts", wait_seconds: 30 });
    await a.client.post("/logs", fault("alphafault", a.page));
    await a.client.post("/logs", fault("betafault", b.page));

    const own = async (who, mine, others) => {
      const { client } = who;
      const pushed = await client.message(
        (m) => m.method === "notifications/message" && text_of(m).includes(mine),
      );
      assert.doesNotMatch(text_of(pushed), new RegExp(others));
      for (const uri of ["gasoline://alerts", "gasoline://errors"]) {
        const read = text_of(await client.request("resources/read", { uri }));
        assert.match(read, new RegExp(mine), uri);
        assert.doesNotMatch(read, new RegExp(others), uri);
      }
      const listed = text_of(await client.call("observe", { what: "alerts" }));
      assert.match(listed, new RegExp(mine));
      assert.match(listed, /1 alert of another project not shown/);
      assert.doesNotMatch(text_of(client.messages), new RegExp(others));
    };
    assert.match(text_of(await waiting), /betafault/);
    await own(a, "alphafault", "betafault");
    await own(b, "betafault", "alphafault");

    // The hooks' conversations are those of the clients, which have read these two.
    assert.equal(await hook(state_dir, "ca", a.directory), "");
    await a.client.post("/logs", fault("zetafault", a.page));
    await a.client.post("/logs", fault("etafault", b.page));
    const told_a = await hook(state_dir, "ca", a.directory);
    assert.match(told_a, /zetafault/);
    assert.match(told_a, /2 alerts of other projects, not shown/);
    assert.doesNotMatch(told_a, /betafault|: etafault/);
    const told_b = await hook(state_dir, "cb", path.join(b.directory, "src"));
    assert.match(told_b, /: etafault/);
    assert.doesNotMatch(told_b, /zetafault|alphafault/);

    await a.client.post("/logs", fault("gammafault", b.page));
    const quiet = await a.client.observe({ what: "actions" });
    assert.equal(quiet.block, undefined);
    await a.client.post("/logs", fault("deltafault", a.page));
    const { block } = await a.client.observe({ what: "actions" });
    assert.match(block, /^--- ALERTS \(1\) ---\n1 alert of another project, not shown\n\[/);
    assert.match(block, /deltafault/);
    assert.doesNotMatch(block, /gammafault/);
    const { delivery } = await a.client.stream({ streaming_action: "status" });
    assert.equal(delivery.of_other_projects, 3);
    assert.equal(delivery.unread, 0);
  });
});

test("the file of a project names what is its own, and configure writes it", async () => {
  await with_two(async ({ a, b }) => {
    const scope = async (client, more) => {
      const answer = await client.call("configure", { action: "scope", ...more });
      return JSON.parse(answer.content[0].text);
    };
    assert.equal((await scope(a.client)).learned, true);
    const origin = "http://localhost:3999";
    const set = await scope(a.client, { origins: [origin], ci: ["jenkins"] });
    assert.deepEqual(set.origins, [origin]);
    assert.equal(set.project, a.directory);
    const file = path.join(a.directory, ".gasoline.json");
    assert.deepEqual(JSON.parse(readFileSync(file, "utf8")), { origins: [origin], ci: ["jenkins"] });
    await a.client.post("/logs", fault("alphafault", `${origin}/cart`));
    await a.client.post("/logs", fault("strayfault", "http://localhost:4000/"));
    await a.client.post("/ci-result", {
      status: "failure", source: "jenkins", ref: "main", commit: "c1", summary: "cifault",
    });
    const seen_a = text_of(await a.client.call("observe", { what: "alerts" }));
    const seen_b = text_of(await b.client.call("observe", { what: "alerts" }));
    for (const mark of ["alphafault", "jenkins"]) {
      assert.match(seen_a, new RegExp(mark));
      assert.doesNotMatch(seen_b, new RegExp(mark));
    }
    assert.doesNotMatch(seen_a, /strayfault/);
    assert.match(seen_b, /strayfault/);
    const ci = text_of(await b.client.request("resources/read", { uri: "gasoline://ci" }));
    assert.doesNotMatch(ci, /cifault/);
    writeFileSync(file, "[broken");
    await new Promise((done) => setTimeout(done, 300));
    const broken = await scope(a.client);
    assert.match(broken.problem, /not heeded/);
    const wrong = await a.client.call("configure", { action: "scope", origins: [7] });
    assert.equal(wrong.isError, true);
  });
});

test("CI results go to the repository and branch that they are of", async () => {
  const repository = (directory, name, branch) => {
    writeFileSync(path.join(directory, ".git/HEAD"), `ref: refs/heads/${branch}\n`);
    writeFileSync(
      path.join(directory, ".git/config"),
      `[remote "origin"]\n\turl = git@github.com:acme/${name}.git\n`,
    );
  };
  const prepare = (a, b) => {
    repository(a, "shop", "main");
    repository(b, "admin", "main");
  };
  await with_two(async ({ a, b }) => {
    await a.client.post("/ci-result", {
      status: "failure", source: "github-actions", ref: "main", commit: "c1", summary: "shopfault",
      url: "https://github.com/acme/shop/actions/runs/1",
    });
    assert.match(text_of(await a.client.observe({ what: "actions" })), /CI/);
    assert.equal((await b.client.observe({ what: "actions" })).block, undefined);
  }, prepare);
});
