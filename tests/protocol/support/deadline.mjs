import { readFileSync } from "node:fs";
import { cpus } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";

// Programs that want a core, per core: the average of the last minute, or now if that is more.
const load_per_core = () => {
  const [average, , , running] = readFileSync("/proc/loadavg", "utf8").split(/[ /]/).map(Number);
  return Math.max(average, running) / cpus().length;
};

// A time limit of the specification, generously: tests run on machines that are busy and much slower
// than those that the limit was written for, and a stall of the machine must not read as one of the
// engine. The bench measures the limit itself.
export const bound = (ms) => ms * Math.max(4, 2 * load_per_core());

// The middle one. What one sample alone may claim about speed is nothing: a busy machine can hold any
// process for a while.
export const median_of = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

// How long to wait for what must come, without any claim about speed.
export const patience_ms = 20_000;

// The result of `promise`, or an error that shows `describe()` when it takes longer.
export const within = async (promise, ms, describe) => {
  const giving_up = new AbortController();
  const too_late = sleep(ms, undefined, { signal: giving_up.signal }).then(
    () => {
      throw new Error(`nothing after ${Math.round(ms)} ms: ${describe()}`);
    },
    () => new Promise(() => {}),
  );
  try {
    return await Promise.race([promise, too_late]);
  } finally {
    giving_up.abort();
  }
};

// Asks `probe` until it answers with something truthy. Probes that call tools should not ask often,
// since a client has 100 calls a minute.
export const wait_until = async (probe, describe, { ms = patience_ms, every = 10 } = {}) => {
  const end = performance.now() + ms;
  for (;;) {
    const found = await probe();
    if (found) return found;
    if (performance.now() > end) throw new Error(`nothing after ${ms} ms: ${describe()}`);
    await sleep(every);
  }
};
