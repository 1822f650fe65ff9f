import { setTimeout as sleep } from "node:timers/promises";

// Asks `probe` until it answers with something; throws an error that shows `describe()` when it
// does not within `timeout_ms`.
export const wait_until = async (probe, describe, timeout_ms = 10_000) => {
  const end = performance.now() + timeout_ms;
  for (;;) {
    const found = await probe();
    if (found) return found;
    if (performance.now() > end) throw new Error(`nothing after ${timeout_ms} ms: ${describe()}`);
    await sleep(20);
  }
};
