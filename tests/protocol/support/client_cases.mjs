import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";

import { wait_until, within, patience_ms } from "./deadline.mjs";
import { binary, clean_environment, temporary_directory } from "./engine.mjs";
import { http_request } from "./http.mjs";
import { ci_failure, exception, unique, word } from "./samples.mjs";

let serial = 0;

// How an SDK starts an engine over stdio: `make` makes its transport from the options.
export const stdio_engine = (make) => {
  const directory = temporary_directory();
  const transport = make({
    command: binary,
    args: ["mcp", "--port", "0", "--state-dir", directory],
    env: clean_environment(directory),
    stderr: "pipe",
  });
  return { transport, directory, stop: () => rmSync(directory, { recursive: true, force: true }) };
};

// What an official client sees of an engine, whatever its SDK, era and transport. `peer` wraps one:
// request methods of its own SDK, and `notices`, `updates`, where its handlers put what they get.
export class client_cases {
  constructor(peer, port) {
    this.peer = peer;
    this.port = port;
  }

  async post(route, body) {
    const answer = await http_request(this.port, { method: "POST", path: route, body });
    assert.equal(answer.status, 200, answer.text);
  }

  async raise() {
    const source = `case-${word((serial += 1))}-${unique()}`;
    await this.post("/ci-result", ci_failure({ source }));
    return source;
  }

  async tools() {
    const { tools } = await this.peer.listTools();
    const names = tools.map(({ name }) => name);
    assert.ok(names.includes("observe") && names.includes("configure"), names.join());
    const source = await this.raise();
    const seen = await this.peer.call("observe", { what: "ci" });
    assert.match(seen.content[0].text, new RegExp(source));
    const wrong = await this.peer.call("observe", { what: "eror" });
    assert.equal(wrong.isError, true);
    assert.match(wrong.content[0].text, /errors, logs/);
    await assert.rejects(this.peer.call("nope", {}), { code: -32602 });
  }

  async resources() {
    const { resources } = await this.peer.listResources();
    const uris = resources.map(({ uri }) => uri);
    for (const name of ["guide", "alerts", "errors", "ci", "health"])
      assert.ok(uris.includes(`gasoline://${name}`), uris.join());
    const { resourceTemplates } = await this.peer.listResourceTemplates();
    assert.ok(Array.isArray(resourceTemplates));
    const source = await this.raise();
    for (const uri of uris) {
      const { contents } = await this.peer.readResource({ uri });
      assert.equal(contents[0].uri, uri);
      assert.ok(contents[0].text.length > 0);
    }
    const { contents } = await this.peer.readResource({ uri: "gasoline://ci" });
    assert.match(contents[0].text, new RegExp(source));
    await assert.rejects(this.peer.readResource({ uri: "gasoline://nowhere" }), (error) => {
      assert.ok([-32002, -32602].includes(error.code), `${error.code}`);
      return true;
    });
  }

  async prompts() {
    const { prompts } = await this.peer.listPrompts();
    assert.deepEqual(prompts.map(({ name }) => name).toSorted(), ["explain_alert", "fix_and_verify", "review_before_merge", "triage"]);
    await this.post("/logs", exception(`TypeError: prompted by ${word((serial += 1))}`));
    const triage = await this.peer.getPrompt({ name: "triage" });
    assert.match(triage.messages[0].content.text, /prompted by/);
    const [argument] = prompts.find(({ name }) => name === "explain_alert").arguments;
    const { completion } = await this.peer.complete({
      ref: { type: "ref/prompt", name: "explain_alert" },
      argument: { name: argument.name, value: "" },
    });
    assert.ok(completion.values.length > 0 && completion.values.length <= 100);
    const explained = await this.peer.getPrompt({
      name: "explain_alert",
      arguments: { [argument.name]: completion.values[0] },
    });
    assert.match(explained.messages[0].content.text, new RegExp(completion.values[0]));
    await assert.rejects(this.peer.getPrompt({ name: "nope" }), { code: -32602 });
  }

  // Subscribed: updated once for many changes in a row; afterwards no more.
  async subscriptions() {
    const { updates } = this.peer;
    const uri = "gasoline://errors";
    const stop = await this.peer.watch(uri);
    const before = updates.length;
    for (let i = 0; i < 20; ++i)
      await this.post("/logs", exception(`Error: watched ${word((serial += 1))}`));
    await wait_until(
      () => updates.slice(before).includes(uri),
      () => "no update",
    );
    assert.ok(updates.length - before < 20, "updates are coalesced");
    await stop();
  }

  async waiting() {
    await this.peer.call("observe", { what: "alerts" });
    const steps = [];
    const waiting = this.peer.call(
      "observe",
      { what: "alerts", wait_seconds: 50 },
      { onprogress: ({ progress }) => steps.push(progress), resetTimeoutOnProgress: true },
    );
    await wait_until(
      () => steps.length > 0,
      () => "no progress",
    );
    const source = await this.raise();
    const result = await within(waiting, patience_ms, () => "the call still waits");
    assert.match(result.content[0].text, new RegExp(source));
    assert.deepEqual(
      steps,
      [...new Set(steps)].toSorted((a, b) => a - b),
    );
  }

  async cancelled() {
    await this.peer.call("observe", { what: "alerts" });
    const giving_up = new AbortController();
    const started = [];
    const waiting = this.peer.call(
      "observe",
      { what: "alerts", wait_seconds: 50 },
      { signal: giving_up.signal, onprogress: (step) => started.push(step) },
    );
    await wait_until(
      () => started.length > 0,
      () => "no progress",
    );
    giving_up.abort("not needed any more");
    await assert.rejects(waiting);
    await this.peer.listTools();
    const source = await this.raise();
    const { content } = await this.peer.call("observe", { what: "alerts" });
    assert.match(content[0].text, new RegExp(source), "the cancelled call has read it");
  }

  // Legacy clients only: alerts come as they happen.
  async pushed() {
    const enabled = await this.peer.call("configure", {
      action: "streaming",
      streaming_action: "enable",
      events: ["all"],
      throttle_seconds: 1,
    });
    assert.ok(!enabled.isError, enabled.content[0].text);
    const source = await this.raise();
    await wait_until(
      () => JSON.stringify(this.peer.notices).includes(source),
      () => JSON.stringify(this.peer.notices).slice(-500),
    );
    await this.peer.call("configure", { action: "streaming", streaming_action: "disable" });
  }
}

// The port of an engine that a client's transport started.
export const port_in = async (state_dir) => {
  const file = path.join(state_dir, "port");
  await wait_until(
    () => existsSync(file) && readFileSync(file, "utf8").trim() !== "",
    () => "no port file",
  );
  return Number(readFileSync(file, "utf8"));
};
