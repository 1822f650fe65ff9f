// Traces of session streams (tests/session_traces): reading them, and running one against
// a client in virtual time.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../../session_traces/", import.meta.url));

export const trace_names = () =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => name.slice(0, -".jsonl".length))
    .toSorted();

// The steps of a trace, each with the number of its line.
export const read_trace = (name) =>
  readFileSync(`${folder}${name}.jsonl`, "utf8")
    .split("\n")
    .map((text, at) => ({ text, line: at + 1 }))
    .filter(({ text }) => text !== "" && !text.startsWith("//"))
    .map(({ text, line }) => ({ ...JSON.parse(text), line }));

const is_absent = (wanted) => wanted?.$absent === true;

// Fails unless `value` has all that `wanted` names.
export const assert_matches = (value, wanted, at = "view") => {
  if (Array.isArray(wanted)) {
    assert.equal(value?.length, wanted.length, `${at} has ${JSON.stringify(value)}`);
    wanted.forEach((item, index) => assert_matches(value[index], item, `${at}[${index}]`));
  } else if (typeof wanted === "object" && wanted !== null) {
    assert.equal(typeof value, "object", at);
    assert.notEqual(value, null, at);
    for (const [key, item] of Object.entries(wanted))
      if (is_absent(item)) assert.ok(!(key in value), `${at}.${key} is there`);
      else assert_matches(value[key], item, `${at}.${key}`);
  } else {
    assert.equal(value, wanted, at);
  }
};

const inputs = {
  start: ({ client }, _, now) => client.start(now),
  attached: ({ client }, answer, now) => client.attached(answer ?? undefined, now),
  opened: ({ client }) => client.opened(),
  received: ({ client }, frame, now) =>
    client.received(typeof frame === "string" ? frame : JSON.stringify(frame), now),
  closed: ({ client }, close, now) => client.closed(close, now),
  cancel: ({ client }, { turn_id, reason }) => client.cancel(turn_id, reason),
  pass_ms: (run, ms) => run.pass(ms),
  due_ms: (run, [least, most]) => run.act_within(least, most),
};

const is_for_the_network = (action) =>
  ["attach", "connect", "send", "close"].some((key) => key in action);

// One run of a trace.
class trace_run {
  now = 0;

  constructor(client) {
    this.client = client;
  }

  // Lets time pass, with every deadline of the client on the way.
  pass(ms) {
    const until = this.now + ms;
    const actions = [];
    const { client } = this;
    while (client.deadline !== null && client.deadline <= until)
      actions.push(...client.tick(Math.max(this.now, client.deadline)));
    this.now = until;
    return actions;
  }

  // Lets time pass to the next deadline.
  act_within(least, most) {
    const due = this.client.deadline - this.now;
    assert.ok(due >= least && due <= most, `due in ${due} ms, not in ${least} to ${most} ms`);
    this.now = this.client.deadline;
    return this.client.tick(this.now);
  }

  step({ line, actions: wanted = [], state, view, events, end, ...input }) {
    const [[name, value]] = Object.entries(input);
    const actions = inputs[name](this, value, this.now);
    const at = `line ${line}`;
    assert.deepEqual(actions.filter(is_for_the_network), wanted, at);
    if (state !== undefined) assert.equal(this.client.state, state, at);
    if (view !== undefined) assert_matches(this.client.view, view, `${at}: view`);
    const passed_on = actions.flatMap(({ event }) => (event ? [event.type] : []));
    if (events !== undefined) assert.deepEqual(passed_on, events, at);
    if (end !== undefined) assert_matches(this.client.end, end, `${at}: end`);
  }
}

// Runs a trace against the client that `make` makes of what is in its first step.
export const run_trace = (name, make) => {
  const steps = read_trace(name);
  const run = new trace_run(make(steps[0].start));
  for (const step of steps) run.step(step);
  return run.client;
};
