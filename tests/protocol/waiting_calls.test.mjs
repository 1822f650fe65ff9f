// A waiting call that ends without its alert: by the client's cancel, by its leaving, by the engine's
// stop. Nothing is lost by that, and nothing counts as read that was not. (Over HTTP: `modern_http`; killed
// beside a hook of its conversation: `hook`.)
import assert from "node:assert/strict";
import { test } from "node:test";

import { wait_until } from "./support/deadline.mjs";
import { start_engine, with_engine } from "./support/engine.mjs";
import { exception, word } from "./support/samples.mjs";

const wait = { name: "observe", arguments: { what: "alerts", wait_seconds: 50 } };
const request = (id) => ({ jsonrpc: "2.0", id, method: "tools/call", params: wait });
const cancelled = (id) => ({
  jsonrpc: "2.0",
  method: "notifications/cancelled",
  params: { requestId: id },
});
const fault = (mark) => exception(`Uncaught TypeError: ${mark} is not a function`);
const text_of = (message) => JSON.stringify(message);

test("cancelled in the same write, with something unread: answered with it, or it stays unread", () =>
  with_engine(async (engine) => {
    for (let n = 1; n <= 20; ++n) {
      const mark = word(n);
      await engine.post("/logs", fault(mark));
      const from = engine.messages.length;
      engine.send_raw(`${JSON.stringify(request(`w${n}`))}\n${JSON.stringify(cancelled(`w${n}`))}\n`);
      await engine.request("ping");
      const { block } = await engine.observe({ what: "actions" });
      const answer = engine.messages.slice(from).find((m) => m.id === `w${n}`);
      const told = [answer && text_of(answer), block].filter((text) => text?.includes(` ${mark} is not`));
      assert.equal(told.length, 1, `${mark}: told ${told.length} times`);
    }
  }));

test("cancelled, then something breaks: the next call tells it", () =>
  with_engine(async (engine) => {
    engine.send(request("w"));
    await engine.request("ping");
    engine.send(cancelled("w"));
    await engine.request("ping");
    await engine.post("/logs", fault("later"));
    assert.match((await engine.observe({ what: "actions" })).block, /later is not/);
    assert.equal(engine.messages.some(({ id }) => id === "w"), false);
  }));

test("an editor that sends nothing more is answered at once, and its engine ends", () =>
  with_engine(async (engine) => {
    engine.send(request("w"));
    await engine.request("ping");
    engine.child.stdin.end();
    const answer = await engine.answer("w");
    assert.deepEqual(JSON.parse(answer.result.content[0].text.split("\n")[1]).items, []);
    assert.deepEqual(await engine.end(), { code: 0, signal: null });
  }));

test("the engine is stopped: every waiting call is answered, and the next engine tells what breaks", async () => {
  const first = start_engine();
  let second;
  try {
    await first.initialize(); // or the other one might be the engine
    second = start_engine({ state_dir: first.state_dir });
    await second.initialize();
    const waiting = [first, second].map((client) => client.request("tools/call", wait));
    await first.request("ping");
    await second.request("ping");
    const { pid } = await first.health();
    process.kill(pid, "SIGTERM");
    for (const answer of await Promise.all(waiting))
      assert.ok(answer.result ? !answer.result.isError : /again/.test(answer.error.message), text_of(answer));
    await first.exited;
    await second.observe({ what: "actions" });
    second.known_port = undefined;
    await wait_until(
      async () => (await second.post("/logs", fault("afterwards")).catch(() => ({}))).status === 200,
      () => "no engine listens",
    );
    assert.match((await second.observe({ what: "actions" })).block, /afterwards is not/);
  } finally {
    first.child.kill("SIGKILL");
    second?.child.kill("SIGKILL");
  }
});
