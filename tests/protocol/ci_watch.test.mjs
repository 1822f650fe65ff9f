// `gasoline ci watch` with a gh that plays recorded output: the first look is the baseline, then each
// run that ends reaches the agent, with failed tests, jobs and the end of the log, and no secret.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { wait_until } from "./support/deadline.mjs";
import { binary, clean_environment, temporary_directory, with_engine } from "./support/engine.mjs";

const here = (name) => fileURLToPath(new URL(name, import.meta.url));

// A working tree of git, as far as the command looks at it, and a directory with `gh` in it.
const make_tree = ({ branch = "feature/carts", remote = "git@github.com:o/shop.git" } = {}) => {
  const tree = temporary_directory();
  mkdirSync(path.join(tree, ".git"));
  writeFileSync(path.join(tree, ".git", "HEAD"), `ref: refs/heads/${branch}\n`);
  writeFileSync(path.join(tree, ".git", "config"), `[remote "origin"]\n\turl = ${remote}\n`);
  return tree;
};

const make_path = (programs) => {
  const directory = temporary_directory();
  symlinkSync(process.execPath, path.join(directory, "node"));
  for (const name of programs) symlinkSync(here("./support/fake_gh.cjs"), path.join(directory, name));
  return directory;
};

const start_watch = ({ state_dir, tree = make_tree(), programs = ["gh"], env = {} }) => {
  const state = temporary_directory();
  const child = spawn(binary, ["ci", "watch", "--every", "1", "--state-dir", state_dir], {
    cwd: tree,
    env: {
      ...clean_environment(temporary_directory()),
      PATH: make_path(programs),
      FAKE_GH_OUTPUT: here("./gh_output"),
      FAKE_GH_STATE: state,
      ...env,
    },
  });
  const watch = { child, out: "", errors: "", closed: once(child, "close") };
  child.stdout.on("data", (chunk) => (watch.out += chunk));
  child.stderr.on("data", (chunk) => (watch.errors += chunk));
  watch.calls = () => readFileSync(path.join(state, "calls"), "utf8").trim().split("\n");
  return watch;
};

test("a run that fails reaches the agent with its tests and the end of its log", async () => {
  await with_engine(async (engine) => {
    const watch = start_watch({ state_dir: engine.state_dir });
    try {
      await wait_until(() => /failure: CI Add carts/.test(watch.out));
      const { items } = await engine.observe({ what: "alerts" });
      assert.equal(items.length, 1, JSON.stringify(items));
      assert.equal(items[0].title, "CI failure (github-actions, feature/carts, CI)");
      assert.match(items[0].detail, /test_total/);
      const { items: results } = await engine.observe({ what: "ci" });
      assert.equal(results.length, 1, "neither what had ended before nor what was cancelled");
      const [result] = results;
      assert.equal(result.commit, "2".repeat(40));
      assert.equal(result.duration_ms, 180_000);
      assert.match(result.failures[0].name, /test_total/);
      assert.equal(result.failures[1].name, "unit tests: Run pytest");
      assert.match(result.failures[1].message, /1 failed, 11 passed/);
      assert.match(result.failures[1].message, /Process completed with exit code 1\.$/);
      assert.ok(!JSON.stringify(results).includes("ghp_"), "the log's token is masked");
      const calls = watch.calls();
      assert.ok(calls.every((call) => !call.startsWith("run view 101")));
      assert.match(calls[0], /^run list --branch feature\/carts --limit 20 --json /);
    } finally {
      watch.child.kill("SIGTERM");
    }
    await watch.closed;
  });
});

test("rules of an organization that hide names of workflows are gone around", async () => {
  await with_engine(async (engine) => {
    const watch = start_watch({ state_dir: engine.state_dir, env: { FAKE_GH_RULESETS: "1" } });
    await wait_until(() => /watching the runs of feature\/carts with gh, 1 so far/.test(watch.out));
    watch.child.kill("SIGTERM");
    await watch.closed;
    assert.equal(watch.errors, "");
  });
});

test("what cannot work is said once, and ends with 1", async () => {
  const state_dir = temporary_directory();
  const cases = [
    [{ programs: [] }, /gh is not installed; install it and log in with `gh auth login`/],
    [{ env: { FAKE_GH_REFUSES: "1" } }, /gh failed with exit code 4: To get started/],
    [
      { programs: [], tree: make_tree({ remote: "https://gitlab.com/o/shop.git" }) },
      /glab is not installed/,
    ],
    [{ tree: temporary_directory() }, /no working tree of git/],
  ];
  for (const [options, sentence] of cases) {
    const watch = start_watch({ state_dir, ...options });
    const [code] = await watch.closed;
    assert.equal(code, 1);
    assert.match(watch.errors, sentence);
    assert.equal(watch.errors.trim().split("\n").length, 1);
  }
});

test("without an engine results wait for one", async () => {
  const state_dir = temporary_directory();
  const watch = start_watch({ state_dir });
  try {
    await wait_until(() => /engine.*\n/.test(watch.errors));
    await with_engine(
      async (engine) => {
        await wait_until(() => /failure: CI Add carts/.test(watch.out));
        assert.equal((await engine.observe({ what: "ci" })).count, 1);
      },
      { state_dir },
    );
  } finally {
    watch.child.kill("SIGTERM");
  }
  await watch.closed;
});
