// Replays the recordings of tests/signal and prints, per class of fault, how many an agent was told
// of once, more than once, or not at all, and how many alerts of healthy sessions it was told.
// Usage: node tools/scripts/signal.mjs GASOLINE [FILE...]
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const read_every_s = 10; // an agent that looks now and then
const target = { recall: 0.98, once: 0.95, false_per_hour: 0 };

const folder = join(dirname(fileURLToPath(import.meta.url)), "../../tests/signal");
const [binary, ...chosen] = process.argv.slice(2);
if (!binary) {
  console.error("Usage: node tools/scripts/signal.mjs GASOLINE [FILE...]");
  process.exit(2);
}

const seconds = (at) => (at.endsWith("ms") ? Number(at.slice(0, -2)) / 1000 : Number(at.slice(0, -1)));

// A recording: its labels, its steps with their times, and how long it lasts.
const read_recording = (file) => {
  const faults = [];
  const steps = [];
  let healthy = false;
  let time = 0;
  for (const line of readFileSync(file, "utf8").split("\n")) {
    const label = /^\/\/ fault (\{.*\})$/.exec(line);
    if (label) faults.push({ times: 1, ...JSON.parse(label[1]) });
    healthy ||= line == "// healthy";
    if (!line || line.startsWith("//")) continue;
    const step = JSON.parse(line);
    if (step.at) time = seconds(step.at);
    steps.push({ time, line });
  }
  return { name: basename(file, ".jsonl"), faults, healthy, steps, lasts: time };
};

// The recording with a client that reads its alerts now and then, and once after the end.
const with_reader = ({ steps, lasts }) => {
  const out = [];
  let next = read_every_s;
  const read = (time) => {
    out.push(`{"at":"${time}s","call":"observe","arguments":{"what":"page"}}`);
    out.push('{"expect":"result"}');
  };
  for (const { time, line } of steps) {
    for (; next < time; next += read_every_s) read(next);
    out.push(line);
  }
  read(Math.max(next, lasts + read_every_s));
  return out.join("\n") + "\n";
};

const replay = (file) =>
  new Promise((resolve, reject) =>
    execFile(
      binary,
      ["replay", file, "--format", "jsonl"],
      { maxBuffer: 1 << 28 },
      (error, stdout, stderr) =>
        error
          ? reject(new Error(`${basename(file)}: ${stderr.trim() || error.message}`))
          : resolve(stdout),
    ),
  );

// The alerts above `info` that the reader was told, in order; one that is told anew counts anew.
const tellings_of = async (recording, work) => {
  const file = join(work, `${recording.name}.jsonl`);
  writeFileSync(file, with_reader(recording));
  const stdout = await replay(file);
  const told = [];
  for (const line of stdout.split("\n")) {
    if (!line) continue;
    const { at_ms, client, message } = JSON.parse(line);
    const block = client && message?.result?.content?.[1]?.text;
    if (!block) continue;
    const alerts = JSON.parse(block.slice(block.indexOf("\n[") + 1));
    told.push(...alerts.map((alert) => ({ at_ms, alert, text: JSON.stringify(alert) })));
  }
  return told.filter(({ alert }) => alert.severity != "info");
};

const is_about = ({ text }, { match }) =>
  [match].flat().every((part) => text.includes(JSON.stringify(part).slice(1, -1)));

const by_class = new Map();
const row_of = (name) => {
  if (!by_class.has(name))
    by_class.set(name, { faults: 0, once: 0, more: 0, missed: 0, stray: 0, bytes: 0 });
  return by_class.get(name);
};

const notes = [];
const healthy = { sessions: 0, seconds: 0, alerts: 0 };

const judge = (recording, told) => {
  const rest = new Set(told);
  for (const fault of recording.faults) {
    const about = told.filter((t) => is_about(t, fault));
    about.forEach((t) => rest.delete(t));
    const row = row_of(fault.class);
    ++row.faults;
    row.bytes += about.reduce((sum, { text }) => sum + text.length, 0);
    const verdict = about.length == 0 ? "missed" : about.length > fault.times ? "more" : "once";
    ++row[about.length < fault.times ? "missed" : verdict];
    if (about.length != fault.times)
      notes.push(`${recording.name}: told ${about.length} times: ${JSON.stringify(fault.match)}`);
  }
  for (const { text } of rest) {
    if (recording.healthy) ++healthy.alerts;
    else ++row_of(recording.faults[0]?.class ?? "other").stray;
    notes.push(`${recording.name}: not asked for: ${text.slice(0, 300)}`);
  }
  if (!recording.healthy) return;
  ++healthy.sessions;
  healthy.seconds += recording.lasts;
};

const files = chosen.length
  ? chosen
  : readdirSync(folder).filter((f) => f.endsWith(".jsonl")).sort().map((f) => join(folder, f));
const work = mkdtempSync(join(tmpdir(), "signal-"));
try {
  const recordings = files.map(read_recording);
  const told = [];
  let next = 0;
  const take_turns = async () => {
    while (next < recordings.length) {
      const i = next++;
      told[i] = await tellings_of(recordings[i], work);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, take_turns));
  recordings.forEach((recording, i) => judge(recording, told[i]));
} finally {
  rmSync(work, { recursive: true });
}

const cell = (value, width) => String(value).padStart(width);
console.log(`class        ${["faults", "once", "more", "missed", "stray", "bytes"].map((t) => cell(t, 8)).join("")}`);
const sum = { faults: 0, once: 0, more: 0, missed: 0, stray: 0, bytes: 0 };
for (const [name, row] of [...by_class].sort()) {
  for (const key of Object.keys(sum)) sum[key] += row[key];
  const per_fault = { ...row, bytes: Math.round(row.bytes / row.faults) };
  console.log(name.padEnd(13) + Object.keys(sum).map((key) => cell(per_fault[key], 8)).join(""));
}
const hours = healthy.seconds / 3600;
const per_hour = hours ? healthy.alerts / hours : 0;
console.log(`\n${sum.faults} faults: ${sum.once} told once, ${sum.more} more than once, ${sum.missed} missed; ${sum.stray} stray alerts; ${sum.faults ? Math.round(sum.bytes / sum.faults) : 0} bytes told per fault`);
console.log(`${healthy.sessions} healthy sessions, ${hours.toFixed(2)} h: ${healthy.alerts} false alerts, ${per_hour.toFixed(1)} per hour`);
for (const note of notes) console.log(note);
const recall = sum.faults ? (sum.faults - sum.missed) / sum.faults : 1;
const once = sum.faults ? sum.once / sum.faults : 1;
process.exit(recall < target.recall || once < target.once || per_hour > target.false_per_hour ? 1 : 0);
