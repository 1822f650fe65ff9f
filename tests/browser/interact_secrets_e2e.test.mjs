// Signing in with a secret of the user's, in a real Chromium, by the program that GASOLINE_BIN names: the
// page gets it, and no answer of any tool shows it, however the page and its server pass it on; a file
// that is refused is told with the reason to whoever wanted to fill it in.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { acting_suite, needs_program } from "./support/acting_suite.mjs";
import { start_http_server } from "./support/http_server.mjs";

const password = 'Horse&"battery"+7%';

// All ways in which a page or its server may write it.
const writings = [
  password,
  encodeURIComponent(password),
  new URLSearchParams({ p: password }).toString().slice(2),
  JSON.stringify(password).slice(1, -1),
  password.replaceAll("&", "&amp;").replaceAll('"', "&quot;"),
  Buffer.from(password).toString("base64"),
  Buffer.from(`ann:${password}`).toString("base64"),
];

const login_page = `<title>Shop</title><form id=login><label>User <input name=user></label>
  <label>Password <input type=password name=pass></label><button>Sign in</button></form><p id=said></p><script>
  login.onsubmit = async (event) => {
    event.preventDefault();
    const pass = login.pass.value;
    document.title = "Hello " + pass;
    said.textContent = "signed in with " + pass;
    said.title = pass;
    console.log("form", { pass });
    console.error(new Error("refused: " + pass));
    history.replaceState(null, "", "?pass=" + encodeURIComponent(pass));
    const json = { method: "POST", headers: { "Content-Type": "application/json" } };
    await fetch("/account", { ...json, body: JSON.stringify({ user: "ann", pass }) });
    await fetch("/account?" + new URLSearchParams({ pass }), { method: "POST", body: new URLSearchParams({ pass }) });
    await fetch("/account", { ...json, headers: { Authorization: "Basic " + btoa("ann:" + pass) }, body: btoa(pass) });
    setTimeout(() => { throw new TypeError("no rights for " + pass) });
  };</script>`;

const modes = {
  observe: ["logs", "errors", "network_bodies", "network_waterfall", "actions", "timeline", "page", "alerts"],
  analyze: ["errors", "timeline", "api", "security", "page", "diff"],
  generate: ["reproduction", "test", "bug_report", "pr_summary", "har", "sarif", "csp", "fixture", "types"],
};

describe("secrets", needs_program, () => {
  let files;
  const file = (name) => join(files, name);

  before(() => {
    files = mkdtempSync(join(tmpdir(), "gasoline-secrets-"));
    const write = (name, text, mode) => {
      writeFileSync(file(name), text);
      chmodSync(file(name), mode);
    };
    write("own", `${password}\n`, 0o600);
    write("open", `${password}\n`, 0o644);
    write("short", "1234567\n", 0o600);
    write("empty", "\n", 0o600);
    write("lines", "first line\nsecond line\n", 0o600);
    symlinkSync(file("own"), file("link"));
    mkdirSync(file("directory"));
    execFileSync("mkfifo", ["-m", "600", file("pipe")]);
    const names = ["own", "link", "open", "short", "empty", "lines", "directory", "pipe", "absent"];
    const secrets = Object.fromEntries(names.map((name) => [name.toUpperCase(), file(name)]));
    writeFileSync(file("config.json"), JSON.stringify({ interact: { secrets } }));
  });

  const { engine } = acting_suite(() => ["--config", file("config.json")]);

  after(() => rmSync(files, { recursive: true }));

  test("a login with a secret reaches the server and shows in no answer", async () => {
    const bodies = [];
    const shop = await start_http_server((request, response, body) => {
      if (request.method != "POST")
        return response.writeHead(200, { "Content-Type": "text/html" }).end(login_page);
      bodies.push(body);
      response.writeHead(500, { "Content-Type": "application/json" });
      return response.end(JSON.stringify({ error: `unknown: ${password}`, sent: body }));
    });
    const told = [];
    const act = async (action, more) => {
      const { text, isError } = await engine.interact(action, more);
      assert.ok(!isError, text);
      told.push([action, text]);
    };
    await act("navigate", { url: `${shop.origin}/` });
    await act("fill", { fields: { User: "ann", Password: { secret: "OWN" } } });
    await act("click", { role: "button", name: "Sign in" });
    await act("wait_for", { text: "signed in" });
    for (const action of ["snapshot", "read", "find"]) await act(action);
    await act("find", { text: "signed in" });
    await act("tabs", { do: "list" });
    await act("evaluate", { expression: "[document.title, said.title, location.href, login.pass.value]" });
    await act("type", { label: "User", value: { secret: "LINK" } });
    for (const [tool, list] of Object.entries(modes))
      for (const what of list)
        for (const more of [{}, { detail: "full" }]) {
          const { text } = await engine.call_tool(tool, { what, ...more });
          told.push([`${tool} ${what}`, text]);
        }
    assert.deepEqual(
      bodies.slice(0, 2),
      [JSON.stringify({ user: "ann", pass: password }), `${new URLSearchParams({ pass: password })}`],
    );
    const showing = told.filter(([, text]) => writings.some((each) => text.includes(each)));
    assert.deepEqual(showing.map(([what, text]) => `${what}: ${text}`), []);
    await shop.stop();
  });

  const refusals = {
    OPEN: /readable|open|others|rights?.*chmod 600/i,
    SHORT: /7 bytes.*under 8/,
    EMPTY: /is empty/,
    LINES: /holds no secret; valid is one line/,
    DIRECTORY: /cannot be read/,
    PIPE: /cannot be read/,
    ABSENT: /cannot be read; name an existing file with interact\.secrets/,
  };

  for (const [name, reason] of Object.entries(refusals))
    test(`the refused file of ${name} is told with the reason`, async () => {
      await engine.open("<label>Password <input type=password></label>");
      const text = await engine.refused("fill", { label: "Password", value: { secret: name } });
      assert.match(text, new RegExp(`^The secret "${name}" was not filled in\\. The secret file \\S+/${name.toLowerCase()} `));
      assert.match(text, reason);
      assert.match(text, /start it again/);
    });
});
