// What `interact` keeps to itself and where it does not go: addresses that browsers read otherwise than
// they look, redirects that lead elsewhere, secrets and hidden characters in what a page shows.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { networkInterfaces } from "node:os";
import { after, before, describe, test } from "node:test";

import { start_acting_engine } from "./support/acting_engine.mjs";
import { start_page_server } from "./support/page_server.mjs";

const program = process.env.GASOLINE_BIN;

// An address of this machine that is no loopback, which counts as elsewhere.
const address_elsewhere = () =>
  Object.values(networkInterfaces())
    .flat()
    .find(({ family, internal }) => family === "IPv4" && !internal)?.address;

const listen = async (server, host) => {
  await new Promise((resolve) => server.listen(0, host, resolve));
  return `http://${host}:${server.address().port}`;
};

const password = "Kw7pRt2mXq9z";
const token = "x9Kq2LmN7vRtY4wZ8bHc3FgJ6dSpA1eU";
const hidden = "a\u202eb\u009bc\u{e0041}d\u200be";

const page = `<title>Sign in, password=${password} ${hidden}</title>
<h1>Account ${hidden}</h1>
<label>Password <input type="password" id="pw"></label>
<table><tr><th>user</th><th>password</th><th></th></tr>
<tr><td>ann</td><td>${password}</td><td><button>Edit</button></td></tr>
<tr><td>bob</td><td>${password}</td><td></td></tr></table>
<p>Your API key: ${token}</p>
<button onclick="alert('the new password is ${password}')">Tell</button>
<script>localStorage.setItem("session", JSON.stringify({ access_token: "${token}" }))</script>`;

// What must never leave as it is.
const raw = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u202a-\u202e\u{e0000}-\u{e0fff}]/u;

describe("interact and what is not for an agent", { skip: program ? false : "GASOLINE_BIN is not set" }, () => {
  let app;
  let engine;
  let interact;
  let elsewhere;
  let reached = 0;
  const strange = createServer((request, response) => {
    if (request.url === "/") reached += 1;
    response.setHeader("content-type", "text/html");
    response.end("<title>Elsewhere</title><p>text of others</p><button>Press</button>");
  });
  const turning = createServer((_, response) => response.writeHead(302, { location: elsewhere }).end());

  before(async () => {
    app = await start_page_server();
    engine = await start_acting_engine(program, app);
    ({ interact } = engine);
    app.set_page("/", page);
  });

  after(async () => {
    strange.close();
    turning.close();
    await app?.stop();
    assert.equal(await engine.leave(), 0);
  });

  test("an address is judged as the browser reads it", async () => {
    for (const url of [
      "http://evil.test\\.localhost/",
      "http://evil.test\\@localhost/",
      "evil.test\\@127.0.0.1",
      "\\\\evil.test\\.localhost",
      "http://evil.test\\\t.localhost",
      "http://localhost@evil.test/",
      "http://localhost:80@evil.test/",
      "java\nscript:alert(1)",
      "JAVASCRIPT:alert(1)",
      "data:text/html,<p>x",
      "view-source:http://localhost/",
      "blob:http://localhost/x",
      " file:///etc/passwd",
      "filesystem:http://localhost/x",
      "chrome://version",
      "about:srcdoc",
    ])
      for (const [action, more] of [["navigate", {}], ["tabs", { do: "open" }]]) {
        const { text, isError } = await interact(action, { url, ...more });
        assert.ok(isError, `${action} ${url}: ${text}`);
        assert.match(text, /^interact acts in pages of/, `${action} ${url}`);
      }
  });

  test("a page that a redirect has led elsewhere is not acted in", { skip: !address_elsewhere() }, async () => {
    elsewhere = await listen(strange, address_elsewhere());
    const turn = await listen(turning, "127.0.0.1");
    const led = await interact("navigate", { url: `${turn}/` });
    assert.equal(reached, 1);
    assert.doesNotMatch(led.text, /text of others/);
    for (const [action, args] of [
      ["read", {}],
      ["snapshot", {}],
      ["find", { text: "Press" }],
      ["click", { text: "Press" }],
      ["screenshot", {}],
      ["evaluate", { expression: "document.body.innerText" }],
      ["press", { key: "Enter" }],
    ]) {
      const { text, isError } = await interact(action, args);
      assert.ok(isError, `${action}: ${text}`);
      assert.match(text, /is elsewhere/, action);
    }
  });

  test("what a page shows comes without secrets and hidden characters", async () => {
    await interact("navigate", { url: `${app.origin}/` });
    const said = [];
    for (const [action, args] of [
      ["navigate", { url: `${app.origin}/` }],
      ["fill", { fields: { Password: password } }],
      ["snapshot", {}],
      ["read", {}],
      ["find", { text: "Account" }],
      ["find", { role: "row", name: "ann" }],
      ["find", { role: "cell" }],
      ["click", { text: "Edit" }],
      ["evaluate", { expression: "({ password: document.getElementById('pw').value })" }],
      ["evaluate", { expression: "localStorage.getItem('session')" }],
      ["evaluate", { expression: "document.body.innerText" }],
      ["evaluate", { expression: "console.log({ token: JSON.parse(localStorage.session).access_token })" }],
      ["click", { text: "Tell" }],
      ["dialog", { accept: true }],
      ["tabs", {}],
    ])
      said.push([action, JSON.stringify(args), (await interact(action, args)).text]);
    for (const [action, args, text] of said) {
      for (const secret of [token, password]) assert.ok(!text.includes(secret), `${action} ${args}: ${text}`);
      assert.doesNotMatch(text, raw, `${action} ${args}`);
    }
    assert.ok(said.filter(([, , text]) => text.includes("[REDACTED]")).length > 7);
  });
});
