#!/usr/bin/env node
// A `gh` that plays what is in ../gh_output: each list is the next look, and the last one stays. The
// looks are counted in the directory FAKE_GH_STATE, where every call is written down too.
const { appendFileSync, existsSync, readFileSync, writeFileSync } = require("node:fs");
const path = require("node:path");

const recorded = path.join(process.env.FAKE_GH_OUTPUT);
const state = process.env.FAKE_GH_STATE;
const words = process.argv.slice(2);
appendFileSync(path.join(state, "calls"), words.join(" ") + "\n");

const print = (name) => process.stdout.write(readFileSync(path.join(recorded, name)));
const fail = (code, sentence) => {
  process.stderr.write(sentence + "\n");
  process.exit(code);
};

if (process.env.FAKE_GH_REFUSES)
  fail(4, "To get started with GitHub CLI, please run:  gh auth login");
if (words[0] !== "run") fail(1, `unknown command "${words[0]}" for "gh"`);
if (words[1] === "list") {
  const columns = words[words.indexOf("--json") + 1];
  if (process.env.FAKE_GH_RULESETS && columns.includes("workflowName"))
    fail(1, "failed to get runs: HTTP 404: Not Found (https://api.github.com/repos/o/r/actions/workflows/1)");
  const counter = path.join(state, "looks");
  const look = existsSync(counter) ? Number(readFileSync(counter, "utf8")) + 1 : 1;
  writeFileSync(counter, String(look));
  const last = [look, 3, 2, 1].find((n) => existsSync(path.join(recorded, `runs_${n}.json`)));
  print(`runs_${last}.json`);
} else if (words[1] === "view") {
  if (words.includes("--log-failed")) print(`log_${words[2]}.txt`);
  else print(`jobs_${words[2]}.json`);
} else fail(1, `unknown command "${words[1]}" for "gh run"`);
