// A trace that cannot grow: every request is answered at once and says why, and all goes on once
// there is room.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { statSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

import { with_daemon } from "./support/daemon.mjs";
import { bound } from "./support/deadline.mjs";
import {
  create_session,
  script_of,
  session_request,
  spoken,
  submit,
  watch,
} from "./support/session_client.mjs";

// No file of that process may grow beyond so many bytes; the kernel then says what a full disk says.
const limit_files = (pid, bytes) =>
  execFileSync("prlimit", ["--pid", String(pid), `--fsize=${bytes}:`]);

const size_of = (file) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

const fill = (engine) =>
  limit_files(engine.pid, size_of(path.join(engine.state_dir, "trace.db-wal")));

test("no room for a turn: a refusal at once, then turns as before", () =>
  with_daemon(async (engine, port) => {
    const id = await create_session(port, { script: script_of([{ text: "a" }], [{ text: "b" }]) });
    const client = await watch(port, id);
    const first = await submit(port, id);
    await client.event("turn.completed", ({ turn_id }) => turn_id === first);
    fill(engine);
    const asked = performance.now();
    const refused = await session_request(port, "POST", `/${id}/turns`, { content: "x" });
    assert.ok(performance.now() - asked < bound(1_000));
    assert.equal(refused.status, 503, refused.text);
    assert.equal(refused.json.error.code, "trace_unavailable");
    assert.match(refused.json.error.message, /disk|full|I\/O|written|stored/i);
    const again = await session_request(port, "POST", `/${id}/turns`, { content: "x" });
    assert.equal(again.status, 503, again.text);
    const created = await session_request(port, "POST", "", { workspace_path: "/tmp" });
    assert.equal(created.status, 503, created.text);
    const listed = await session_request(port, "GET", "");
    assert.equal(listed.status, 200);
    limit_files(engine.pid, "unlimited");
    let turn;
    for (let n = 0; n < 100 && !turn; ++n) {
      const answer = await session_request(port, "POST", `/${id}/turns`, { content: "y" });
      if (answer.status === 202) turn = answer.json.turn_id;
      else await new Promise((resolve) => setTimeout(resolve, 100));
    }
    await client.event("turn.completed", ({ turn_id }) => turn_id === turn);
    await client.close();
  }));

test("no room in the middle of a turn: the turn ends, and the session is free for the next", () =>
  with_daemon(async (engine, port) => {
    const id = await create_session(port, {
      script: script_of(spoken(["begun"]).concat(spoken(["end"], 600_000)), [{ text: "b" }]),
    });
    const client = await watch(port, id);
    const turn = await submit(port, id);
    await client.event("text.delta");
    fill(engine);
    await session_request(port, "POST", `/${id}/turns/${turn}/cancel`);
    const refused = await session_request(port, "POST", `/${id}/turns`, { content: "x" });
    assert.ok([409, 503].includes(refused.status), refused.text);
    limit_files(engine.pid, "unlimited");
    await client.event("turn.cancelled", ({ turn_id }) => turn_id === turn);
    const next = await submit(port, id);
    await client.event("turn.completed", ({ turn_id }) => turn_id === next);
    await client.close();
  }));
