// What the engine has recorded of a session, made into a recording of tests/signal: spaced out in
// virtual time, without what names this machine, and with its labels.
import { readFileSync, writeFileSync } from "node:fs";

// Every recording begins at the same moment.
const start = Date.parse("2026-01-28T14:30:00.000Z");

// Strings that a session carries but no rule needs are cut here.
const long_chars = 1500;

const virtual_time = (pauses) => (real_ms) =>
  pauses.reduce((time, { at_ms, add_ms }) => (real_ms >= at_ms ? time + add_ms : time), real_ms);

const shorten = (value) => {
  if (typeof value == "string") return value.length > long_chars ? value.slice(0, long_chars) : value;
  if (Array.isArray(value)) return value.map(shorten);
  if (value instanceof Object)
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, shorten(member)]));
  return value;
};

const seconds = (ms) => `${Math.round(ms) / 1000}s`;

// `pauses`: { at_ms, add_ms }, the moment of a pause, counted from `started` (ms since 1970), and how
// long the person who works is away then. `ended`: when the session ended. `names`: [text, what stands for it].
export const make_recording = ({ from, to, title, toolchain, faults, pauses, ended, names }) => {
  const spaced = virtual_time(pauses);
  const out = [`// ${title}`, `// toolchain ${toolchain}`];
  for (const fault of faults ?? []) out.push(`// fault ${JSON.stringify(fault)}`);
  if (!faults) out.push("// healthy");
  let began;
  let last = 0;
  const move = (entry) => {
    if (entry.ts) entry.ts = new Date(start + spaced(Date.parse(entry.ts) - began)).toISOString();
    return entry;
  };
  for (const line of readFileSync(from, "utf8").split("\n").filter(Boolean)) {
    const step = JSON.parse(line);
    if (step.config) {
      began = Date.parse(step.config.start);
      out.push(JSON.stringify({ config: { start: new Date(start).toISOString() } }));
    }
    // What is judged is what a client is told, which a replay asks anew.
    if (!step.post || step.post == "/network-waterfall") continue;
    last = Math.max(last, spaced(1000 * parseFloat(step.at)));
    const entries = Object.values(step.body).find(Array.isArray) ?? [];
    entries.forEach(move);
    move(step.body);
    out.push(JSON.stringify({ ...shorten(step), at: seconds(last) }));
    out.push('{"expect":"answer","match":{"status":200}}');
  }
  // The session is over when the person leaves, whatever the page has said last.
  last = Math.max(last, spaced(ended - began));
  out.push(JSON.stringify({ at: seconds(last), expect: "silence" }));
  let text = out.join("\n");
  for (const [name, other] of names) text = text.replaceAll(name, other);
  writeFileSync(to, text + "\n");
  return { minutes: last / 60_000, bytes: text.length };
};
