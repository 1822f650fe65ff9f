// The webhooks of GitHub as GitHub sends them: all examples of @octokit/webhooks-examples, signed with
// @octokit/webhooks-methods, and what is done about those that nobody signed.
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
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

const hex = (key, text) => createHmac("sha256", key).update(text).digest("hex");
const standard = (key, text) => {
  const at = String(Math.floor(Date.now() / 1000));
  const signature = createHmac("sha256", key).update(`d1.${at}.${text}`).digest("base64");
  return { "webhook-id": "d1", "webhook-timestamp": at, "webhook-signature": `v1,${signature}` };
};

// How each system shows that it knows `key`.
const proofs = {
  github: [(key, text) => ({ "x-hub-signature-256": `sha256=${hex(key, text)}` })],
  gitlab: [(key) => ({ "x-gitlab-token": key }), standard],
  jenkins: [(key) => ({ "x-jenkins-token": key })],
  circleci: [(key, text) => ({ "circleci-signature": `v1=${hex(key, text)}` })],
  buildkite: [
    (key) => ({ "x-buildkite-token": key }),
    (key, text) => ({ "x-buildkite-signature": `timestamp=1,signature=${hex(key, `1.${text}`)}` }),
  ],
};

test("every system: who does not know its secret is refused, also with an empty key", async () => {
  const directory = temporary_directory();
  const files = {};
  for (const system of Object.keys(proofs)) {
    files[system] = path.join(directory, system);
    writeFileSync(files[system], `${secret}-${system}\n`, { mode: 0o600 });
  }
  const config = path.join(directory, "config.json");
  writeFileSync(config, JSON.stringify({ ci_secret_files: files }));
  await with_engine(
    async (engine) => {
      const port = await engine.port();
      const text = "{}";
      const status_of = async (system, headers) =>
        (
          await http_request(port, {
            method: "POST",
            path: `/ci/${system}`,
            body: text,
            headers: { "content-type": "application/json", "x-github-event": "ping", ...headers },
          })
        ).status;
      for (const [system, ways] of Object.entries(proofs)) {
        assert.equal(await status_of(system, {}), 401, system);
        for (const prove of ways) {
          for (const wrong of ["", "x", secret, `${secret}-${system}x`])
            assert.equal(await status_of(system, prove(wrong, text)), 401, `${system} with '${wrong}'`);
          assert.notEqual(await status_of(system, prove(`${secret}-${system}`, text)), 401, system);
        }
      }
    },
    { args: ["--config", config] },
  );
});

test("a secret in the form of standard webhooks that is no base64 is nobody's key", async () => {
  const directory = temporary_directory();
  const file = path.join(directory, "gitlab");
  writeFileSync(file, "whsec_not*base64\n", { mode: 0o600 });
  const config = path.join(directory, "config.json");
  writeFileSync(config, JSON.stringify({ ci_secret_files: { gitlab: file } }));
  await with_engine(
    async (engine) => {
      const { status } = await http_request(await engine.port(), {
        method: "POST",
        path: "/ci/gitlab",
        body: "{}",
        headers: { "content-type": "application/json", ...standard("", "{}") },
      });
      assert.equal(status, 401);
    },
    { args: ["--config", config] },
  );
});

test("what is said of a file with a webhook's secret names the setting, and no token", async () => {
  const directory = temporary_directory();
  const file = (name) => path.join(directory, name);
  writeFileSync(file("empty"), "\n", { mode: 0o600 });
  writeFileSync(file("open"), "a-secret\n", { mode: 0o600 });
  chmodSync(file("open"), 0o644);
  const config = file("config.json");
  const files = { github: file("missing"), gitlab: file("empty"), jenkins: file("open") };
  writeFileSync(config, JSON.stringify({ ci_secret_files: files }));
  await with_engine(
    async (engine) => {
      await engine.port();
      const said = engine.stderr.split("\n").filter((line) => line.includes("are refused:"));
      assert.equal(said.length, 3, engine.stderr);
      assert.match(said[0], /github .* secret file .*missing cannot be read; .*ci_secret_files/);
      assert.match(said[1], /gitlab .* secret file .*empty is empty; write a secret of a webhook/);
      assert.match(said[2], /jenkins .* secret file .*open .*chmod 600/);
      for (const line of said) assert.doesNotMatch(line, /token/);
    },
    { args: ["--config", config] },
  );
});

test("a page of another site cannot raise a CI alert", async () => {
  await with_engine(async (engine) => {
    const answer = await post(await engine.port(), "ping", "{}", { origin: "https://evil.example" });
    assert.equal(answer.status, 403);
  });
});
