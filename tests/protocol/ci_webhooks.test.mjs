// The webhooks of GitHub as GitHub sends them: all examples of @octokit/webhooks-examples, signed with
// @octokit/webhooks-methods, and what is done about those that nobody signed.
import assert from "node:assert/strict";
import { chmodSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { test } from "node:test";

import { sign } from "@octokit/webhooks-methods";

import { temporary_directory, with_engine } from "./support/engine.mjs";
import { http_request } from "./support/http.mjs";

const require = createRequire(import.meta.url);
const events = require("@octokit/webhooks-examples");

const secret = "not-so-secret-1234";

const post = (port, name, body, headers = {}) =>
  http_request(port, {
    method: "POST",
    path: "/ci/github",
    body,
    headers: { "content-type": "application/json", "x-github-event": name, ...headers },
  });

const with_secret = (work) => {
  const directory = temporary_directory();
  const file = path.join(directory, "secret");
  writeFileSync(file, secret + "\n");
  chmodSync(file, 0o600);
  const config = path.join(directory, "config.json");
  writeFileSync(config, JSON.stringify({ ci_secret_files: { github: file } }));
  return with_engine(work, { args: ["--config", config] });
};

test("every example of GitHub's webhooks is answered, and the failed ones are told", async () => {
  await with_engine(async (engine) => {
    const port = await engine.port();
    const told = [];
    for (const { name, examples } of events)
      for (const [index, example] of examples.entries()) {
        const answer = await post(port, name, JSON.stringify(example), {
          "x-github-delivery": `${name}-${index}`,
        });
        assert.equal(answer.status, 200, `${name}: ${answer.text}`);
        assert.equal(answer.json.ok, true);
        if (!("ignored" in answer.json)) told.push(name);
      }
    const readable = ["check_run", "check_suite", "status", "workflow_job", "workflow_run"];
    assert.deepEqual([...new Set(told)].sort(), readable);
    const { items } = await engine.observe({ what: "alerts" });
    const failed = items.find(({ title }) => title.startsWith("CI failure"));
    assert.match(failed.title, /^CI failure \(github-actions, main/);
    assert.match(failed.detail, /linters: step Run yarn run format-check/);
    await engine.assert_alive();
  });
});

test("a secret: signed bytes are believed, others are refused and counted", async () => {
  await with_secret(async (engine) => {
    const port = await engine.port();
    const body = JSON.stringify(
      events.find(({ name }) => name === "workflow_job").examples.find(
        ({ workflow_job }) => workflow_job.conclusion === "failure",
      ),
      undefined,
      2,
    );
    const signature = await sign(secret, body);
    const good = await post(port, "workflow_job", body, { "x-hub-signature-256": signature });
    assert.equal(good.status, 200);
    assert.equal(good.text, '{"ok":true}');
    for (const headers of [
      {},
      { "x-hub-signature-256": await sign("another", body) },
      { "x-hub-signature-256": await sign(secret, JSON.stringify(JSON.parse(body))) },
    ]) {
      const bad = await post(port, "workflow_job", body, headers);
      assert.equal(bad.status, 401);
      assert.match(bad.json.error, /X-Hub-Signature-256/);
    }
    const health = await engine.health();
    assert.equal(health.dropped.refused_posts, 3);
    assert.ok(!JSON.stringify(health).includes(secret));
  });
});

test("a page of another site cannot raise a CI alert", async () => {
  await with_engine(async (engine) => {
    const answer = await post(await engine.port(), "ping", "{}", { origin: "https://evil.example" });
    assert.equal(answer.status, 403);
  });
});
