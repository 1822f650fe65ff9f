import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";

// How long a fault that is due may take, with what the engine waits beyond that.
const patience_ms = 9_000;
const ask_every_ms = 250;
// How long after an edit that mends nothing it is asked.
const watched_ms = 4_000;

// Asks `engine` whether the faults of a page are fixed, at whatever moment.
export const fix_judge = (engine) => {
  const analyze = async (what) => {
    const { text, isError } = await engine.call_tool("analyze", { what, max_bytes: 20_000 });
    assert.ok(!isError, text);
    return text;
  };

  const asked_until = async (what, is_enough) => {
    const asked = [];
    for (const end = performance.now() + patience_ms; performance.now() < end; ) {
      asked.push(await analyze(what));
      if (is_enough(asked.at(-1))) break;
      await sleep(ask_every_ms);
    }
    return asked;
  };

  return {
    // Waits until the engine has heard of the fault, in all its places, and sets a mark.
    heard_of_fault: async (places = 1) => {
      const is_heard = (text) => Number.parseInt(text) >= places;
      const [last] = (await asked_until("errors", is_heard)).slice(-1);
      assert.ok(is_heard(last), `the fault was never heard of: ${last}`);
      await sleep(ask_every_ms);
      await engine.call_tool("configure", { action: "mark", name: "edit" });
    },
    says_fixed: async () => {
      const asked = await asked_until("diff", (text) => text.startsWith("Fixed: "));
      assert.match(asked.at(-1), /^Fixed: /);
    },
    never_says_fixed: async () => {
      const end = performance.now() + watched_ms;
      for (const text of await asked_until("diff", () => performance.now() > end))
        assert.doesNotMatch(text, /^Fixed: /);
    },
  };
};
