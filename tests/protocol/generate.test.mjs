// What `generate` makes is read by the tools of those who use it, stays where it may be, and what a
// page wrote stays a text in it.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { test } from "node:test";

import har_validator from "@har-sdk/validator";
import Ajv from "ajv-draft-04";
import add_formats from "ajv-formats";
import { CspEvaluator } from "csp_evaluator/dist/evaluator.js";
import { Severity } from "csp_evaluator/dist/finding.js";
import { CspParser } from "csp_evaluator/dist/parser.js";

import { temporary_directory, with_engine } from "./support/engine.mjs";

const validate = (har) => new har_validator.HarValidator().verify(har);
const { resolve } = createRequire(import.meta.url);
const sarif_schema = JSON.parse(
  readFileSync(
    path.join(path.dirname(resolve("@microsoft/jest-sarif")), "schemas/sarif-2.1.0-rtm.5.json"),
  ),
);
const typescript = path.join(path.dirname(resolve("typescript/package.json")), "bin/tsc");

// Everything that ends a text somewhere: strings, templates, comments, scripts, Markdown, JSON.
const hostile =
  "\"'`${process.exit(7)}` */ </script><!-- ``` \n# heading\n[x](javascript:1) \\ \u202e\u2028 | é %";
const secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";

const page = { url: "http://localhost:3000/cart?q=[1]", page_id: "p1" };

const bodies = [
  { method: "GET", url: "http://localhost:3000/api/items/1", status: 200, duration: 12 },
  {
    method: "POST",
    url: `http://localhost:3000/api/pay?note=${hostile}&a=b#x`,
    status: 502,
    duration: 30.5,
    content_type: "application/json; charset=utf-8",
    response_body: JSON.stringify({ error: hostile, token: secret, n: null }),
    request_headers: { Authorization: `Bearer ${secret}`, "X-Note": hostile },
  },
  { method: "GET", url: "/relative path", status: 0, error: "net::ERR_FAILED" },
  {
    method: "GET",
    url: "http://localhost:3000/logo.png",
    status: 200,
    content_type: "image/png",
    response_body: "[Skipped: image/png]",
  },
  {
    method: "GET",
    url: "http://localhost:3000/api/items/7",
    status: 200,
    content_type: "application/json",
    response_body: JSON.stringify({ id: 7, "odd name": [1, 2.5, "x"], [hostile]: true }),
  },
  {
    method: "GET",
    url: "http://localhost:3000/api/items/8",
    status: 200,
    content_type: "application/json",
    response_body: JSON.stringify({ id: 8, extra: { deep: [] } }),
  },
].map((body) => ({ ...body, page: page.url, page_id: page.page_id }));

const actions = [
  { type: "click", selectors: { text: hostile, css: `a#${hostile}`, testid: hostile, role: hostile } },
  { type: "input", selectors: { css: "input#mail", text: "E-mail" }, input_type: "email", value: hostile },
  { type: "keypress", key: hostile, selectors: { css: "input#mail" } },
  { type: "select", selected_index: 2, selectors: { css: "select" } },
  { type: "click", selectors: {} },
];

const fill = async (engine) => {
  const posted = [
    await engine.post("/enhanced-actions", {
      actions: actions.map((action) => ({ timestamp: Date.now(), ...page, ...action })),
    }),
    await engine.post("/network-bodies", { bodies }),
    await engine.post("/network-waterfall", {
      page_url: page.url,
      entries: [
        { url: "https://cdn.example/app.js", initiator_type: "script", duration: 3 },
        { url: "https://cdn.example/a.css", initiator_type: "link", duration: 3 },
        { url: "data:image/gif;base64,R0lG", initiator_type: "img", duration: 0 },
        { url: "http://evil.example;script-src *", initiator_type: "script", duration: 1 },
        { url: "chrome-extension://abc/x.js", initiator_type: "script", duration: 1 },
      ],
    }),
    await engine.post("/logs", {
      entries: [
        {
          level: "error",
          type: "exception",
          message: `Uncaught TypeError: ${hostile} ${secret}`,
          stack: `TypeError: x\n    at pay (http://localhost:3000/src/${hostile}.js:4:2)`,
          ...page,
        },
        {
          level: "warn",
          type: "security",
          message: "CSP: inline violates style-src-elem",
          violated_directive: "style-src-elem",
          blocked_url: "inline",
          ...page,
        },
      ],
    }),
  ];
  for (const { status, text } of posted) assert.equal(status, 200, text);
};

// The sentence and the text behind it.
const generate = async (engine, what, more = {}) => {
  const result = await engine.call("generate", { what, max_bytes: 60_000, ...more });
  const { text } = result.content[0];
  assert.ok(!result.isError, `${what}: ${text}`);
  const end = text.indexOf("\n");
  assert.ok(!text.includes(secret), `${what} holds a secret`);
  return { sentence: text.slice(0, end), text: text.slice(end + 1) };
};

const refused = async (engine, args) => {
  const result = await engine.call("generate", args);
  assert.ok(result.isError, result.content[0].text);
  return result.content[0].text;
};

const is_a_module = (directory, name, text) => {
  const file = path.join(directory, name);
  writeFileSync(file, text);
  const run = spawnSync(process.execPath, ["--check", file], { encoding: "utf8" });
  assert.equal(run.status, 0, `${run.stderr}\n${text}`);
};

test("HAR, SARIF, a policy, scripts and types are what their readers take", async () => {
  const directory = temporary_directory();
  await with_engine(async (engine) => {
    await fill(engine);

    const har = JSON.parse((await generate(engine, "har")).text);
    assert.deepEqual(await validate(har), []);
    assert.equal(har.log.entries.length, bodies.length + 4, "what an extension loads is noise");
    const paid = har.log.entries.find(({ request }) => request.method === "POST");
    assert.equal(paid.response.status, 502);
    assert.ok(paid.request.queryString.some(({ name }) => name === "note"));
    assert.ok(JSON.parse(paid.response.content.text).error.includes("</script>"));
    const image = har.log.entries.find(({ request }) => request.url.endsWith("logo.png"));
    assert.equal(image.response.content.text, undefined);
    assert.match(image.response.content.comment, /left out: Skipped/);

    const sarif = JSON.parse((await generate(engine, "sarif")).text);
    const valid = add_formats(new Ajv({ strict: false, unicodeRegExp: false })).compile(sarif_schema);
    assert.ok(valid(sarif), JSON.stringify(valid.errors));
    const rules = new Set(sarif.runs[0].results.map(({ ruleId }) => ruleId));
    assert.deepEqual([...rules].sort(), ["request-failure", "runtime-error", "security-finding"]);
    for (const { locations } of sarif.runs[0].results)
      for (const { physicalLocation } of locations)
        assert.doesNotMatch(physicalLocation.artifactLocation.uri, /[\s"'<>\\`]/);

    const [header, ...notes] = (await generate(engine, "csp")).text.trimEnd().split("\n");
    assert.match(header, /^Content-Security-Policy-Report-Only: /);
    assert.ok(notes.every((line) => line.startsWith("# ")));
    const policy = new CspParser(header.slice(header.indexOf(":") + 1)).csp;
    assert.deepEqual(policy.directives["script-src"], ["'self'", "https://cdn.example"]);
    assert.deepEqual(policy.directives["style-src"], [
      "'nonce-PER-RESPONSE'",
      "'self'",
      "https://cdn.example",
    ]);
    assert.deepEqual(policy.directives["object-src"], ["'none'"]);
    assert.doesNotMatch(header, /unsafe|extension|evil|7890/);
    const severe = new CspEvaluator(policy)
      .evaluate()
      .filter(({ severity }) => severity === Severity.HIGH || severity === Severity.SYNTAX);
    assert.deepEqual(severe, []);

    for (const what of ["reproduction", "test"]) {
      const { text } = await generate(engine, what, { url: "/cart" });
      is_a_module(directory, `${what}.mjs`, text);
      assert.ok(!text.includes("</script>"));
    }

    const { text: types } = await generate(engine, "types");
    writeFileSync(path.join(directory, "types.ts"), types);
    const compiled = spawnSync(
      process.execPath,
      [typescript, "--noEmit", "--strict", "--lib", "es2022", path.join(directory, "types.ts")],
      { encoding: "utf8" },
    );
    assert.equal(compiled.status, 0, `${compiled.stdout}${compiled.stderr}\n${types}`);
    assert.match(types, /extra\?: \{/, "what one answer lacks is optional");

    const fixture = JSON.parse((await generate(engine, "fixture", { url: "/api/items/7" })).text);
    assert.deepEqual(fixture.body["odd name"], [1, 2.5, "x"]);
    assert.equal(fixture.schema.properties.id.type, "integer");
  });
});

test("Markdown: what a page wrote stays within code", async () => {
  await with_engine(async (engine) => {
    await fill(engine);
    await engine.configure({ action: "mark", name: "before" });
    for (const what of ["bug_report", "pr_summary"]) {
      const { text } = await generate(engine, what);
      // What is left when code is taken out is the engine's own.
      const prose = text.replace(/^(`{3,})text\n[^]*?\n\1$/gm, "").replace(/(`+) .*? \1/g, "");
      assert.doesNotMatch(prose, /heading|javascript:|script>|process\.exit|`/, prose);
    }
  });
});

test("a file is written where it may be, whole, and over nothing", async () => {
  const workspace = temporary_directory();
  const outside = temporary_directory();
  writeFileSync(path.join(outside, "precious"), "mine");
  writeFileSync(path.join(workspace, "there.mjs"), "mine");
  symlinkSync(outside, path.join(workspace, "out"));
  symlinkSync(path.join(outside, "precious"), path.join(workspace, "link.mjs"));
  mkdirSync(path.join(workspace, "closed"), { mode: 0o500 });
  await with_engine(
    async (engine) => {
      await fill(engine);
      const har = (file, more) => ({ what: "har", path: file, ...more });
      const { text } = await generate(engine, "har", { path: "deep/er/a.har" });
      const written = JSON.parse(text);
      assert.equal(written.path, path.join(workspace, "deep/er/a.har"));
      const bytes = readFileSync(written.path);
      assert.equal(bytes.length, written.bytes);
      assert.deepEqual(await validate(JSON.parse(bytes)), []);
      assert.equal(statSync(written.path).mode & 0o777, 0o600);

      assert.match(await refused(engine, har("deep/er/a.har")), /is there already/);
      await generate(engine, "bug_report", { path: "deep/er/a.har", overwrite: true });
      assert.match(readFileSync(written.path, "utf8"), /^# /);
      assert.deepEqual(readdirSync(path.dirname(written.path)), ["a.har"], "nothing is left over");

      for (const file of ["../x.har", "out/x.har", `${outside}/x.har`, "/etc/x.har", ".git/x.har"])
        assert.match(await refused(engine, har(file)), /Nothing was written/, file);
      for (const file of ["link.mjs", "there.mjs"])
        assert.match(await refused(engine, har(file)), /Nothing was written/, file);
      assert.match(await refused(engine, har("link.mjs", { overwrite: true })), /no regular file/);
      assert.match(await refused(engine, har("deep", { overwrite: true })), /no regular file/);
      assert.match(await refused(engine, har("x/", { overwrite: true })), /names a directory/);
      if (process.getuid() !== 0)
        assert.match(await refused(engine, har("closed/x.har")), /cannot be written/);
      assert.deepEqual(readdirSync(outside), ["precious"]);
      assert.equal(readFileSync(path.join(outside, "precious"), "utf8"), "mine");
      assert.equal(readFileSync(path.join(workspace, "there.mjs"), "utf8"), "mine");

      const own = path.join(engine.state_dir, "generated/a.har");
      await generate(engine, "har", { path: own });
      assert.ok(existsSync(own));
      const token = path.join(engine.state_dir, "token");
      assert.match(await refused(engine, har(token, { overwrite: true })), /neither in/);
      await engine.assert_alive();
    },
    { cwd: workspace },
  );
  chmodSync(path.join(workspace, "closed"), 0o700);
});

test("a full disk is told, and leaves nothing behind", async () => {
  const workspace = temporary_directory();
  await with_engine(
    async (engine) => {
      await fill(engine);
      writeFileSync(path.join(workspace, "old.har"), "old");
      // No file may grow beyond so many bytes; the kernel then says what a full disk says.
      execFileSync("prlimit", ["--pid", String(engine.pid), "--fsize=100:"]);
      for (const overwrite of [false, true]) {
        const file = overwrite ? "old.har" : "new.har";
        const said = await refused(engine, { what: "har", path: file, overwrite });
        assert.match(said, /^Nothing was written: '\w+\.har' cannot be written \(File too large\); give a path in /);
        assert.ok(said.includes(`${engine.state_dir}/generated, or leave out path.`), said);
      }
      assert.deepEqual(readdirSync(workspace), ["old.har"]);
      assert.equal(readFileSync(path.join(workspace, "old.har"), "utf8"), "old");
      execFileSync("prlimit", ["--pid", String(engine.pid), "--fsize=unlimited"]);
      await generate(engine, "har", { path: "new.har" });
    },
    { cwd: workspace },
  );
});

test("what is too large is refused with the size that it takes, and a HAR keeps the newest", async () => {
  await with_engine(async (engine) => {
    const many = Array.from({ length: 300 }, (_, i) => ({
      method: "GET",
      url: `http://localhost:3000/api/${i}`,
      status: 200,
      response_body: "x".repeat(1500), // all of them are too much to be written in passing
    }));
    await engine.post("/network-bodies", { bodies: many });
    const { sentence, text } = await generate(engine, "har", { max_bytes: 4096 });
    assert.match(sentence, /older ones are left out/);
    assert.ok(Buffer.byteLength(`${sentence}\n${text}`) <= 4096);
    const { log } = JSON.parse(text);
    assert.ok(log.entries.at(-1).request.url.endsWith("/299"));
    const whole = JSON.parse((await generate(engine, "har", { path: "all.har" })).text);
    assert.equal(JSON.parse(readFileSync(whole.path)).log.entries.length, 300);
  });
});
