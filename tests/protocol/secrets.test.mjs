// Secrets of every kind go in by every route; none of them may come out anywhere.
import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";

import { start_engine, temporary_directory, with_engine } from "./support/engine.mjs";
import { console_entry, word } from "./support/samples.mjs";
import { keyed, look_alikes, sentences, tokens, urls } from "./support/secrets.mjs";

const all_keyed = keyed();
const all_urls = urls();
const all_texts = [...tokens(), ...sentences(), ...all_urls];
const secrets = [...all_texts, ...all_keyed];

const every_what = [
  "errors logs network_waterfall network_bodies websocket_events actions",
  "vitals performance timeline alerts ci page",
].flatMap((names) => names.split(" "));

let engine;
let recording;
let files;

const string_in_string = (value) => JSON.stringify({ inner: JSON.stringify(value) });

// Each text in the free-text places of a log entry.
const log_entries = () => [
  ...all_texts.flatMap(({ text }, i) => [
    console_entry(`${word(i)} said ${text} then`, "error"),
    {
      type: "exception",
      level: "error",
      message: `Error ${word(i)}: ${text}`,
      stack: `Error: ${text}\n    at f (https://app.test/${word(i)}.js:1:1)`,
      filename: `https://app.test/?x=${text}`,
    },
    { type: "console", level: "warn", args: ["token %s", text, { deep: [{ note: text }] }] },
    {
      type: "console",
      level: "info",
      message: "in a string",
      args: [string_in_string({ note: text })],
    },
    {
      type: "network",
      level: "error",
      method: "POST",
      status: 500,
      url: `https://app.test/${word(i)}`,
      error: text,
      response: text,
    },
    { type: "security", level: "warn", message: `Refused to load ${text}` },
    {
      type: "console",
      level: "log",
      message: "odd key",
      [text.slice(0, 100)]: { [text.slice(0, 100)]: 1 },
    },
  ]),
  ...all_keyed.flatMap(({ key, value }) => [
    {
      type: "console",
      level: "log",
      message: "object",
      args: [{ [key]: value, deep: { [key]: [value] } }],
    },
    { type: "console", level: "log", message: "pairs", args: [[key, value], [[key, value]]] },
    {
      type: "console",
      level: "log",
      message: "strings",
      args: [string_in_string({ [key]: value })],
    },
    { type: "console", level: "log", message: JSON.stringify({ [key]: value }) },
    { type: "console", level: "log", message: string_in_string({ [key]: value }) },
    {
      type: "network",
      level: "error",
      method: "GET",
      status: 503,
      url: "https://app.test/keyed",
      headers: { [key]: value },
    },
    {
      type: "network",
      level: "error",
      method: "PUT",
      status: 502,
      url: "https://app.test/pairs",
      headers: [[key, value]],
    },
    {
      type: "network",
      level: "error",
      method: "PUT",
      status: 501,
      url: "https://app.test/objects",
      headers: [{ name: key, value }],
    },
    { type: "console", level: "log", message: "field of its own", [key]: value },
  ]),
];

const network_bodies = () => [
  ...all_texts.map(({ text }, i) => ({
    url: `https://app.test/body/${word(i)}`,
    method: "POST",
    status: 500,
    request_body: text,
    response_body: `<p>${text}</p>`,
    error: text,
  })),
  ...all_urls.map(({ text }) => ({ url: text, method: "GET", status: 500, response_body: "no" })),
  ...all_keyed.map(({ key, value }) => ({
    url: `https://app.test/keyed?${encodeURIComponent(key)}=${value}`,
    method: "POST",
    status: 500,
    request_headers: { [key]: value },
    request_body: JSON.stringify({ [key]: value }),
    response_body: string_in_string({ [key]: value }),
  })),
];

const posts = () => [
  ["/logs", "entries", log_entries()],
  ["/network-bodies", "bodies", network_bodies()],
  [
    "/network-waterfall",
    "entries",
    all_urls.map(({ text }) => ({ name: text, url: text, initiator_type: "fetch", status: 500 })),
  ],
  [
    "/websocket-events",
    "events",
    [
      ...all_texts.map(({ text }) => ({
        event: "message",
        url: "wss://app.test/live",
        data: text,
      })),
      ...all_keyed.map(({ key, value }) => ({
        event: "message",
        url: "wss://app.test/live",
        data: JSON.stringify({ [key]: value }),
      })),
      ...all_urls.map(({ text }) => ({ event: "close", url: text, code: 1006, reason: text })),
    ],
  ],
  [
    "/enhanced-actions",
    "actions",
    [
      ...all_texts.map(({ text }) => ({
        type: "input",
        url: "https://app.test/",
        value: text,
        selectors: { text },
      })),
      ...all_urls.map(({ text }) => ({
        type: "navigate",
        url: text,
        from_url: text,
        to_url: text,
      })),
    ],
  ],
  [
    "/performance-snapshots",
    "snapshots",
    all_urls.flatMap(({ text }) =>
      [900, 900, 5000].map((load) => ({
        url: text,
        timing: { load, largest_contentful_paint: load },
      })),
    ),
  ],
];

const ci_posts = () => [
  ...all_texts.map(({ text }, i) => ({
    status: "failure",
    source: `ci-${word(i)}`,
    ref: text,
    commit: `c${i}`,
    summary: text,
    url: `https://ci.test/?x=${text}`,
    failures: [{ name: text, message: text }],
  })),
  ...all_urls.map(({ text }, i) => ({
    status: "failure",
    source: text,
    commit: text,
    url: text,
    ref: `r${i}`,
  })),
  ...all_keyed.map(({ key, value }) => ({
    status: "error",
    source: "keyed",
    commit: key,
    summary: JSON.stringify({ [key]: value }),
  })),
];

const read_all = async (what) => {
  for (let cursor, pages = 0; pages < 12; ++pages) {
    const seen = await engine.observe({
      what,
      limit: 1000,
      max_bytes: 1 << 20,
      include_noise: true,
      ...(cursor && { cursor }),
    });
    if (!(cursor = seen.cursor)) return;
  }
  assert.fail(`${what} does not end`);
};

before(async () => {
  files = temporary_directory();
  recording = path.join(files, "recording.jsonl");
  engine = start_engine({ args: ["--record", recording, "--log-level", "trace"] });
  const named = all_texts[5].text;
  await engine.request("initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: `client ${named}`, version: "1" },
  });
  engine.notify("notifications/initialized");
  await engine.stream({ streaming_action: "enable", throttle_seconds: 1, severity_min: "info" });
  for (const message of look_alikes)
    assert.equal(
      (await engine.post("/logs", { entries: [console_entry(message, "info")] })).status,
      200,
    );
  for (const [route, key, entries] of posts())
    for (let i = 0; i < entries.length; i += 100) {
      const answer = await engine.post(route, { [key]: entries.slice(i, i + 100) });
      assert.equal(answer.status, 200, answer.text);
      assert.ok(!answer.json.rejected, answer.text);
    }
  for (const body of ci_posts()) {
    const answer = await engine.post("/ci-result", body);
    assert.equal(answer.status, 200, answer.text);
    // Few calls, since a minute has 100; few posts between them, since the buffers are short.
    if (ci_posts.count++ % 8 === 0) await engine.observe({ what: "ci", max_bytes: 1 << 20 });
  }
  for (const what of every_what) await read_all(what);
  await engine.health();
  await engine.message((m) => m.method === "notifications/message" && m.params.data.alerts);
  await engine.configure({ action: "noise_rule", noise_action: "auto_detect" });
  await engine.configure({ action: "noise_rule", noise_action: "list" });
});
ci_posts.count = 0;

after(async () => {
  if (engine.child.exitCode === null) engine.child.kill("SIGKILL");
  rmSync(files, { recursive: true, force: true });
  rmSync(engine.state_dir, { recursive: true, force: true });
});

// The forms in which a part could stand in a text: plain, JSON-escaped once or twice, URL-encoded.
const forms = (part) => {
  const once = JSON.stringify(part).slice(1, -1);
  return [...new Set([part, once, JSON.stringify(once).slice(1, -1), encodeURIComponent(part)])];
};

const leaks_in = (text) =>
  secrets.flatMap(({ name, parts }) =>
    parts.flatMap((part) => {
      const at = forms(part)
        .map((form) => text.indexOf(form))
        .find((i) => i >= 0);
      return at === undefined ? [] : [`${name}: …${text.slice(Math.max(0, at - 120), at + 60)}…`];
    }),
  );

test("the corpus has at least 60 secrets and all of it was read back", () => {
  assert.ok(secrets.length >= 60);
  const masks = engine.lines.join("").split("[REDACTED").length - 1;
  assert.ok(masks > 1000, `${masks} masks`);
  const text = engine.lines.join("\n");
  all_texts.forEach((_, i) => {
    for (const beside of [`${word(i)} said `, `/body/${word(i)}`, `ci-${word(i)}`])
      assert.ok(text.includes(beside), beside);
  });
  assert.ok(engine.notifications.length > 0);
});

test("no secret on stdout", () => {
  assert.deepEqual(leaks_in(engine.lines.join("\n")), []);
});

test("no secret in notifications, dedup keys and titles", () => {
  const told = engine.notifications.map((m) => JSON.stringify(m)).join("\n");
  assert.match(told, /dedup_key/);
  assert.deepEqual(leaks_in(told), []);
});

test("no secret in GET /health", async () => {
  assert.deepEqual(leaks_in((await engine.http({ path: "/health" })).text), []);
});

test("a client's own secret arguments are not recorded", async () => {
  const mine = "gh" + "p_" + "Zq9".repeat(12);
  await engine.observe({ what: "logs", url: `https://a.test/?token=${mine}` });
  secrets.push({ name: "argument of a call", parts: [mine] });
});

test("hosts, paths and names beside the secrets are still there", () => {
  const text = engine.lines.join("\n");
  for (const kept of ["db.test", "c.test", "a.test/cb", "ann", "q=shoes", "page=2"])
    assert.ok(text.includes(kept), kept);
});

test("look-alikes survive as they are", async () => {
  const { items } = await engine.observe({
    what: "logs",
    limit: 1000,
    max_bytes: 1 << 20,
    since: "1h",
  });
  let rest = new Set(items.map(({ message }) => message));
  let cursor;
  do {
    const page = await engine.observe({ what: "logs", limit: 1000, max_bytes: 1 << 20, cursor });
    page.items.forEach(({ message }) => rest.add(message));
    cursor = page.cursor;
  } while (cursor);
  assert.deepEqual(
    look_alikes.filter((text) => !rest.has(text)),
    [],
  );
});

test("no secret on stderr, in the log file, the recording or any other file", async () => {
  engine.child.stdin.end();
  assert.equal((await engine.end()).code, 0);
  engine.assert_clean();
  assert.deepEqual(leaks_in(engine.stderr), []);
  const written = [files, engine.state_dir].flatMap((folder) =>
    readdirSync(folder, { recursive: true }).map((name) => path.join(folder, String(name))),
  );
  assert.ok(written.includes(recording));
  assert.ok(written.some((name) => name.endsWith("gasoline.log")));
  for (const file of written)
    if (statSync(file).isFile())
      assert.deepEqual(leaks_in(readFileSync(file, "utf8")), [], path.basename(file));
});

// How many bytes of a secret are left in front of a cap, and how many of these must not be seen.
const kept_bytes = 12;
const seen_bytes = 8;

const filler = (bytes) => "lorem ipsum ".repeat(Math.ceil(bytes / 12)).slice(0, bytes - 1) + " ";

const cut_shapes = [
  ["/logs", "entries", "logs", 10_240, (text) => console_entry(text)],
  ["/logs", "entries", "logs", 16_384, (text) => ({ ...console_entry("field"), response: text })],
  [
    "/websocket-events",
    "events",
    "websocket_events",
    10_240,
    (text) => ({ event: "message", url: "wss://a.test/", data: text }),
  ],
  [
    "/network-bodies",
    "bodies",
    "network_bodies",
    16_384,
    (text) => ({ url: "https://a.test/", status: 200, response_body: text }),
  ],
];

for (const [route, key, what, cap, shape] of cut_shapes)
  test(`a secret across the cap of ${cap} bytes in ${route} leaves no part of itself`, async () => {
    await with_engine(async (engine) => {
      const cut = all_texts.filter(
        ({ text, parts: [part] }) => part.length > kept_bytes && text.indexOf(part) >= 0,
      );
      assert.ok(cut.length > 50);
      const entries = cut.map(({ text, parts: [part] }) =>
        shape(filler(cap - text.indexOf(part) - kept_bytes) + text + " " + filler(3000)),
      );
      const answer = await engine.post(route, { [key]: entries });
      assert.ok(answer.status === 200 && !answer.json.rejected, answer.text);
      let text = "";
      for (let cursor; ;) {
        const more = cursor && { cursor };
        const page = await engine.observe({ what, limit: 1000, max_bytes: 1 << 20, ...more });
        text += page.text;
        if (!cursor) assert.equal(page.total, cut.length);
        if (!(cursor = page.cursor)) break;
      }
      const left = cut.filter(({ parts: [part] }) => text.includes(part.slice(0, seen_bytes)));
      assert.deepEqual(
        left.map(({ name }) => name),
        [],
      );
    });
  });

test("the recording holds the traffic, as one JSON object a line", () => {
  assert.ok(existsSync(recording));
  const steps = readFileSync(recording, "utf8")
    .trimEnd()
    .split("\n")
    .map((text) => JSON.parse(text));
  assert.ok(steps[0].config);
  for (const route of ["/logs", "/network-bodies", "/ci-result", "/websocket-events"])
    assert.ok(
      steps.some(({ post }) => post === route),
      route,
    );
  assert.ok(steps.some(({ call }) => call === "configure"));
  assert.ok(steps.some(({ expect }) => expect === "notification"));
});
