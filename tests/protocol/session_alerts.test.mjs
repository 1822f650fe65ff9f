// Which alerts join a session: those of its page, of a file of its workspace, of its CI.
import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";

import { start_daemon } from "./support/daemon.mjs";
import { temporary_directory } from "./support/engine.mjs";
import { http_request } from "./support/http.mjs";
import { create_session, submit, watch } from "./support/session_client.mjs";

let engine;
let port;
let workspace;
let client;

// A repository as Git lays it out, of which the session has a directory.
const make_repository = (directory, origin, branch) => {
  mkdirSync(path.join(directory, ".git"), { recursive: true });
  mkdirSync(path.join(directory, "web"));
  writeFileSync(path.join(directory, ".git", "HEAD"), `ref: refs/heads/${branch}\n`);
  writeFileSync(
    path.join(directory, ".git", "config"),
    `[core]\n\tbare = false\n[remote "upstream"]\n\turl = git@host.example:other/fork.git\n` +
      `[remote "origin"]\n\turl = ${origin}\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n`,
  );
};

before(async () => {
  workspace = temporary_directory();
  make_repository(workspace, "git@github.com:Acme/shop.git", "fix/cart");
  engine = start_daemon();
  port = await engine.port();
  const id = await create_session(port, {
    workspace_path: path.join(workspace, "web"),
    page_url: "http://localhost:5173/shop",
  });
  client = await watch(port, id);
  await submit(port, id);
  await client.event("turn.completed");
});
after(async () => {
  await client.close();
  await engine.stop();
  rmSync(workspace, { recursive: true, force: true });
});

const joined = () => client.of_type("alert.raised").map(({ payload }) => payload.title);

// The alerts that joined while these were raised, told in order: what came before the last one,
// which is known to join.
let told = 0;
const joins = async (raise) => {
  const earlier = joined().length;
  await raise();
  const mark = `mark-${(told += 1)}`;
  await ci({ ref: mark, url: "https://github.com/acme/shop/actions/runs/99" });
  await client.event("alert.raised", ({ payload }) => payload.title.includes(mark));
  return joined().slice(earlier, -1).length > 0;
};

let builds = 0;
const ci = async (result) => {
  const answer = await http_request(port, {
    method: "POST",
    path: "/ci-result",
    body: {
      status: "failure",
      source: `ci-${(builds += 1)}`,
      commit: `c${builds}`,
      summary: "2 tests failed",
      ...result,
    },
  });
  assert.ok(answer.status < 300, answer.text);
};

const logged = async (entry) => {
  const answer = await http_request(port, {
    method: "POST",
    path: "/logs",
    body: {
      entries: [
        { level: "error", timestamp: new Date().toISOString(), ...entry },
      ],
    },
  });
  assert.ok(answer.status < 300, answer.text);
};

test("CI of the workspace's repository, by its remote", async () => {
  assert.ok(await joins(() => ci({ ref: "main", url: "https://github.com/acme/shop/actions/runs/1" })));
  assert.ok(!(await joins(() => ci({ ref: "main", url: "https://github.com/acme/shopping/actions/runs/1" }))));
  assert.ok(!(await joins(() => ci({ ref: "main", url: "https://github.com/other/shop-acme/runs/1" }))));
});

test("CI of another repository with a branch of the same name does not join", async () => {
  assert.ok(!(await joins(() => ci({ ref: "fix/cart", url: "https://github.com/other/thing/runs/1" }))));
});

test("an error of a file of the workspace joins, whatever page it came from", async () => {
  const stack = (file) => `TypeError: x is undefined\n    at total (${file}:3:7)`;
  assert.ok(
    await joins(() =>
      logged({
        type: "exception",
        message: "Uncaught TypeError: x is undefined",
        url: "http://localhost:9999/",
        stack: stack(path.join(workspace, "web", "cart.js")),
      }),
    ),
  );
  assert.ok(
    !(await joins(() =>
      logged({
        type: "exception",
        message: "Uncaught TypeError: y is undefined",
        url: "http://localhost:9999/",
        stack: stack("/somewhere/else/cart.js"),
      }),
    )),
  );
});

test("a failed request joins by the page that has made it", async () => {
  const requested = async (page) => {
    const answer = await http_request(port, {
      method: "POST",
      path: "/network-bodies",
      body: {
        bodies: [
          {
            url: `https://api.example/orders/${page.length}`,
            page_url: page,
            method: "GET",
            status: 500,
            duration: 3,
          },
        ],
      },
    });
    assert.ok(answer.status < 300, answer.text);
  };
  assert.ok(await joins(() => requested("http://localhost:5173/shop/cart")));
  assert.ok(!(await joins(() => requested("http://localhost:4000/"))));
});

// The builds that join a session of that workspace, of those that are told.
const builds_that_join = async (workspace_path, results) => {
  const id = await create_session(port, { workspace_path, page_url: "http://localhost:5173/" });
  const watcher = await watch(port, id);
  await submit(port, id);
  await watcher.event("turn.completed");
  for (const [name, result] of Object.entries(results)) await ci({ ...result, source: name });
  const stack = `TypeError: last\n    at total (${path.join(workspace_path, "last.js")}:3:7)`;
  await logged({ type: "exception", message: "Uncaught TypeError: last", url: "http://x/", stack });
  await watcher.event("alert.raised", ({ payload }) => payload.title.includes("last"));
  const told = watcher.of_type("alert.raised").map(({ payload }) => JSON.stringify(payload));
  await watcher.close();
  return Object.keys(results).filter((name) => told.some((text) => text.includes(name)));
};

test("a repository without a remote is known by its branch", async () => {
  const lone = path.join(workspace, "lone");
  mkdirSync(path.join(lone, ".git"), { recursive: true });
  writeFileSync(path.join(lone, ".git", "HEAD"), "ref: refs/heads/feature/x\n");
  const url = "https://ci.example/builds/1";
  assert.deepEqual(
    await builds_that_join(lone, {
      "ci-same": { url, ref: "feature/x" },
      "ci-whole": { url, ref: "refs/heads/feature/x" },
      "ci-longer": { url, ref: "feature/xy" },
      "ci-main": { url, ref: "main" },
    }),
    ["ci-same", "ci-whole"],
  );
});

test("a worktree, and an address with scheme, port and user, lead to the remote", async () => {
  const home = path.join(workspace, "home");
  make_repository(home, "ssh://git@host.example:2222/Team/Tool.git/", "main");
  const tree = path.join(workspace, "tree");
  const git = path.join(home, ".git", "worktrees", "tree");
  mkdirSync(tree);
  mkdirSync(git, { recursive: true });
  writeFileSync(path.join(tree, ".git"), `gitdir: ${git}\n`);
  writeFileSync(path.join(git, "HEAD"), "ref: refs/heads/fix\n");
  writeFileSync(path.join(git, "commondir"), "../..\n");
  assert.deepEqual(
    await builds_that_join(tree, {
      "ci-own": { url: "https://host.example/team/tool/-/pipelines/7", ref: "other" },
      "ci-other": { url: "https://host.example/team/toolbox/-/pipelines/7", ref: "fix" },
    }),
    ["ci-own"],
  );
});
