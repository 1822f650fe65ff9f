// Whose sessions are: their makers', by origin, by key and by token; what costs money or names a
// file wants the token; texts are bounded and lists come in pages.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

import { with_daemon } from "./support/daemon.mjs";
import { temporary_directory } from "./support/engine.mjs";
import { act_as_owner, session_request } from "./support/session_client.mjs";

const dash = "http://dash.test";
const body = { workspace_path: "/tmp", provider: "scripted" };
const trusted = { args: ["--trusted-origin", dash, "--trusted-origin", "http://other.test"] };

const make = async (port, headers, more = {}) => {
  const made = await session_request(port, "POST", "", { ...body, ...more }, headers);
  assert.equal(made.status, 201, made.text);
  return made.json;
};

// Each thing that can be done to a session.
const deeds = [
  ["GET", ""],
  ["GET", "/messages"],
  ["POST", "/turns", { content: "forged" }],
  ["POST", "/events", { events: [] }],
  ["POST", "/messages/msg_1/feedback", { kind: "thumbs_up" }],
  ["DELETE", ""],
];

test("a session is used by its maker, by who has its key, and with the token", async () => {
  await with_daemon(async (engine, port) => {
    const statuses = async (id, headers) => {
      const out = [];
      for (const [method, below, sent] of deeds.slice(0, -1))
        out.push((await session_request(port, method, `/${id}${below}`, sent, headers)).status);
      return out;
    };
    const callers = { program: {}, dash: { origin: dash }, other: { origin: "http://other.test" } };
    for (const maker of Object.keys(callers)) {
      const made = await make(port, callers[maker]);
      assert.match(made.session_key, /^[0-9a-f]{64}$/);
      for (const [name, headers] of Object.entries(callers)) {
        const all = await statuses(made.session_id, headers);
        const refused = all.filter((status) => status === 401).length;
        assert.equal(refused, name === maker ? 0 : all.length, `${name} at ${maker}'s: ${all}`);
        const list = (await session_request(port, "GET", "", undefined, headers)).json.sessions;
        assert.equal(list.some(({ id }) => id === made.session_id), name === maker, name);
      }
      const key = { ...callers.other, "x-gasoline-session-key": made.session_key };
      const bearer = { ...callers.dash, authorization: `Bearer ${made.session_key}` };
      for (const headers of [key, bearer])
        assert.ok(!(await statuses(made.session_id, headers)).includes(401));
      const shown = await session_request(port, "GET", `/${made.session_id}`, undefined, bearer);
      assert.ok(!shown.text.includes(made.session_key), "it is told once");
      const wrong = { authorization: `Bearer ${made.session_key.slice(1)}0` };
      if (maker !== "program")
        assert.ok((await statuses(made.session_id, wrong)).every((status) => status === 401));
    }
  }, trusted);
});

test("one that was made with the token is for the token", async () => {
  await with_daemon(async (engine, port) => {
    act_as_owner(engine, port);
    const { session_id } = await make(port);
    for (const [method, below, sent] of deeds) {
      const no = await session_request(port, method, `/${session_id}${below}`, sent, { authorization: "" });
      assert.equal(no.status, 401, `${method} ${below}`);
      assert.match(no.text, /session_not_yours/);
    }
    assert.equal((await session_request(port, "DELETE", `/${session_id}`)).status, 204);
  });
});

test("the owner's key, and a script in a file, want the token", async () => {
  const directory = temporary_directory();
  const script = path.join(directory, "script.json");
  writeFileSync(script, JSON.stringify({ calls: [], SECRET_NAME: 1 }), { mode: 0o600 });
  await with_daemon(
    async (engine, port) => {
      const paid = { provider: "openai", model: "m" };
      const answers = [];
      for (const more of [
        paid,
        { script_path: script },
        { script_path: "/nowhere" },
        { script_path: "/dev/zero" },
      ]) {
        const { status, json } = await session_request(port, "POST", "", { ...body, ...more });
        assert.equal(status, 401, JSON.stringify(more));
        answers.push(json.error.message);
      }
      assert.equal(new Set(answers.slice(1)).size, 1, "nothing is told of files");
      act_as_owner(engine, port);
      await make(port, {}, paid);
      const named = await session_request(port, "POST", "", { ...body, script_path: script });
      assert.equal(named.status, 400);
      assert.ok(!named.text.includes("SECRET_NAME"), named.text);
    },
    { env: { OPENAI_API_KEY: "sk-0123456789" }, config: { sessions: { providers: { openai: { base_url: "http://127.0.0.1:9/v1" } } } } },
  );
});

test("texts of sessions are bounded, and their list comes in pages", async () => {
  await with_daemon(async (engine, port) => {
    const refused = await session_request(port, "POST", "", { ...body, system: "x".repeat(9 << 20) });
    assert.equal(refused.status, 413);
    for (const field of ["workspace_path", "page_url", "model"]) {
      const sent = { ...body, [field]: "y".repeat(8193) };
      assert.equal((await session_request(port, "POST", "", sent)).status, 413, field);
    }
    const made = [];
    for (let i = 0; i < 5; ++i)
      made.unshift((await make(port, {}, { system: "z".repeat(256 << 10), page_url: "u".repeat(8192) })).session_id);
    const read = [];
    for (let more = true; more; ) {
      const before = read.length > 0 ? `&before=${read.at(-1)}` : "";
      const page = await session_request(port, "GET", `?limit=2${before}`);
      assert.ok(page.text.length < 4000, `${page.text.length}`);
      read.push(...page.json.sessions.map(({ id }) => id));
      more = page.json.has_more;
    }
    assert.deepEqual(read, made);
    assert.equal((await session_request(port, "GET", "?limit=x")).status, 400);
  });
});
