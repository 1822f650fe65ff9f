// `gasoline ci report`: what reports of test runs tell the engine.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

import { binary, clean_environment, temporary_directory, with_engine } from "./support/engine.mjs";

const directory = temporary_directory();

const report = (state_dir, args, options = {}) =>
  spawnSync(binary, ["ci", "report", "--state-dir", state_dir, ...args], {
    cwd: directory,
    env: clean_environment(directory),
    encoding: "utf8",
    ...options,
  });

const file = (name, text) => {
  writeFileSync(path.join(directory, name), text);
  return name;
};

const suite = (cases) => `<testsuite name="s">${cases}</testsuite>`;

test("a report becomes the CI result, and a later one that is well ends it", async () => {
  await with_engine(async (engine) => {
    await engine.port();
    const bad = file("bad.xml", suite(`<testcase name="pays"><failure message="402"/></testcase>`));
    const job = ["--job", "unit", "--ref", "main", "--commit", "abc1234"];
    const shown = report(engine.state_dir, [...job, bad]);
    assert.equal(shown.stdout, "failure: 1 failed\n");
    assert.equal(shown.status, 0);
    const first = await engine.observe({ what: "ci" });
    assert.match(first.text, /s > pays/);
    assert.match(first.text, /402/);
    const again = file(
      "again.xml",
      suite(`<testcase name="pays"><failure message="402"/></testcase><testcase name="pays"/>`),
    );
    assert.equal(
      report(engine.state_dir, [...job, again]).stdout,
      "success: 1 passed; 1 passed again after failing: s > pays\n",
    );
    const { items } = await engine.observe({ what: "alerts" });
    assert.ok(items.some((a) => /^CI recovered \(junit, main, unit\)$/.test(a.title)));
  });
});

test("TAP and go test -json come from files or standard input", async () => {
  await with_engine(async (engine) => {
    await engine.port();
    const tap = spawnSync(
      process.execPath,
      ["--test-reporter=tap", "-e", `require("node:test").test("adds", () => { throw Error("no") })`],
      { encoding: "utf8", env: { PATH: process.env.PATH } },
    ).stdout;
    const shown = report(engine.state_dir, ["-"], { input: tap });
    assert.equal(shown.stdout, "failure: 1 failed\n", tap + shown.stderr);
    const go = file("go.jsonl", `{"Action":"fail","Package":"p","Test":"TestA"}\n`);
    assert.equal(report(engine.state_dir, [go]).stdout, "failure: 1 failed\n");
  });
});

test("what cannot be told says why, with exit code 1", () => {
  const good = file("good.xml", suite(`<testcase name="a"/>`));
  const cases = [
    [[good], /No engine runs for/],
    [["missing.xml"], /missing\.xml cannot be opened: No such file/],
    [[file("dtd.xml", `<!DOCTYPE a [<!ENTITY b "c">]><testsuite/>`)], /has a document type/],
    [[file("text.txt", "hello\n")], /is no report that is known here/],
    [[file("empty.xml", "")], /is empty/],
    [[file("none.xml", suite(""))], /tells of no test at all/],
    [[directory], /is a directory/],
  ];
  for (const [args, sentence] of cases) {
    const shown = report(directory, args);
    assert.equal(shown.status, 1, args[0]);
    assert.match(shown.stderr, sentence);
  }
  assert.equal(report(directory, []).status, 2);
});
