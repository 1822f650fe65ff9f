// Marks that set themselves: a commit in the client's working tree, a build that passes, a page that is loaded again;
// and faults that are over, with the commit that came between.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

import { start_engine, temporary_directory } from "./support/engine.mjs";

const page = "http://localhost:3000/cart";

const git = (cwd, ...args) =>
  execFileSync("git", ["-c", "user.name=Ann", "-c", "user.email=ann@mail.test", ...args], {
    cwd,
    stdio: "ignore",
  });

const with_tree = async (use) => {
  const state_dir = temporary_directory();
  const tree = path.join(state_dir, "shop");
  mkdirSync(tree);
  git(tree, "init", "-q");
  writeFileSync(path.join(tree, "a.js"), "1");
  git(tree, "add", ".");
  git(tree, "commit", "-q", "-m", "First");
  const engine = start_engine({ state_dir, cwd: tree });
  try {
    await engine.initialize();
    await use({ engine, tree, port: await engine.port() });
  } finally {
    await engine.stop();
  }
};

const commit = (tree, subject) => {
  appendFileSync(path.join(tree, "a.js"), "\n1");
  git(tree, "commit", "-q", "-a", "-m", subject);
};

const asks = (status, page_id) => ({
  bodies: [{ method: "GET", url: "http://localhost:3000/api/cart", status, duration: 5, page, page_id }],
});

const post = async (port, route, body) => {
  const answer = await fetch(`http://127.0.0.1:${port}${route}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  assert.ok(answer.ok, await answer.text());
};

const text_of = ({ content }) => content.map(({ text }) => text).join("\n");

const marks_of = async (engine) =>
  JSON.parse(text_of(await engine.call("configure", { action: "mark" }))).marks;

test("commits, builds and reloads are marks, and analyze takes them", async () => {
  await with_tree(async ({ engine, tree, port }) => {
    await post(port, "/network-bodies", asks(500, "p1"));
    await post(port, "/network-bodies", asks(200, "p2"));
    commit(tree, "Round totals\nsecret");
    const marks = await marks_of(engine);
    assert.match(marks[0].name, /^commit [0-9a-f]{7}$/);
    assert.equal(marks[0].about, "Round totals");
    assert.ok(marks.some(({ name, about }) => /^reload /.test(name) && about === page));
    const diff = text_of(await engine.call("analyze", { what: "diff", since: marks[0].name }));
    assert.match(diff, /^Not proved: 1 fault not seen since mark "commit /);
    const since_commit = text_of(await engine.call("analyze", { what: "errors", since: "commit" }));
    assert.match(since_commit, /^No errors since commit /);
    const refused = await engine.call("configure", { action: "mark", name: "commit 1234567" });
    assert.ok(refused.isError);
  });
});

test("a fault that is over after a commit is told once, with the commit", async () => {
  await with_tree(async ({ engine, tree, port }) => {
    await post(port, "/network-bodies", asks(500, "p1"));
    const first = text_of(await engine.call("observe", { what: "alerts" }));
    assert.match(first, /GET.*500|500.*GET/);
    // Git tells seconds, and a change counts only when it surely came after the fault.
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    commit(tree, "Answer again");
    await post(port, "/network-bodies", asks(200, "p1"));
    const told = text_of(await engine.call("observe", { what: "alerts" }));
    assert.match(told, /Resolved: /);
    assert.match(told, /GET \/api\/cart succeeded after commit [0-9a-f]{7} \(Answer again\)/);
    await post(port, "/network-bodies", asks(200, "p1"));
    const again = text_of(await engine.call("observe", { what: "alerts" }));
    assert.equal(again.match(/Resolved: /g).length, 1);
  });
});

test("a tree without a repository, or with one that is no file of the user's, has no commits", async () => {
  const state_dir = temporary_directory();
  const tree = path.join(state_dir, "plain");
  mkdirSync(path.join(tree, ".git", "logs", "HEAD"), { recursive: true });
  const engine = start_engine({ state_dir, cwd: tree });
  try {
    await engine.initialize();
    assert.deepEqual(await marks_of(engine), []);
  } finally {
    await engine.stop();
  }
});
