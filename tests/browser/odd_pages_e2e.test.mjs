// Pages that hang, ask before they are left, ask for a password, or are no documents: interact gets
// through all of them. GASOLINE_BIN names the program.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { acting_suite, needs_program } from "./support/acting_suite.mjs";
import { start_http_server } from "./support/http_server.mjs";

describe("odd pages", needs_program, () => {
  const { app, engine, done, refused, open } = acting_suite();

  test("a page whose script never ends is said to hang, and can be left", async () => {
    await open(`<title>Loop</title><button>Other</button><script>setTimeout(() => { for (;;); }, 300)</script>`);
    await done("wait_for", { seconds: 1 });
    assert.match(await refused("click", { text: "Other" }), /scripts hang\. navigate, also with reload, ends them/);
    app.set_page("/fine", "<title>Fine</title><button>Go</button>");
    assert.match(await done("navigate", { url: `${app.origin}/fine` }), /navigated to .*\/fine "Fine"/);
    assert.match(await done("click", { text: "Go" }), /clicked button "Go"/);
  });

  test("a page that asks before it is left is told at once", async () => {
    await open(`<label>Name <input></label><script>
      addEventListener("beforeunload", (event) => event.preventDefault())</script>`);
    await done("fill", { label: "Name", value: "x" });
    app.set_page("/away", "<title>Away</title>");
    const asked = await done("navigate", { url: `${app.origin}/away` });
    assert.match(asked, /beforeunload dialog is open; to accept it leaves the page/);
    assert.match(await refused("read"), /A beforeunload dialog is open; answer it first/);
    assert.match(await done("dialog", { accept: false }), /dismissed beforeunload/);
    await done("navigate", { url: "reload" });
    await done("dialog", { accept: false });
    await done("navigate", { url: `${app.origin}/away` });
    assert.match(await done("dialog", { accept: true }), /accepted beforeunload\nnavigated to .*\/away "Away"/);
  });

  test("a password that HTTP asks for is asked for in words", async () => {
    const staff = await start_http_server((request, response) => {
      if (request.headers.authorization == `Basic ${Buffer.from("ann:pw").toString("base64")}`)
        return response.writeHead(200, { "Content-Type": "text/html" }).end("<title>Staff</title>");
      return response.writeHead(401, { "WWW-Authenticate": 'Basic realm="Staff"' }).end("no");
    });
    const text = await refused("navigate", { url: staff.origin });
    assert.match(text, /asks for a name and a password by HTTP authentication/);
    const { text: told } = await engine.call_tool("observe", { what: "network_bodies", status_min: 400, include_noise: true });
    assert.match(told, /"status":401/);
    const named = staff.origin.replace("//", "//ann:pw@");
    const opened = await done("navigate", { url: named });
    assert.match(opened, /"Staff"/);
    assert.ok(!opened.includes("ann:pw"), opened);
    await done("navigate", { url: `${app.origin}/` });
    await staff.stop();
  });

  test("the browser's own pages, files and scripts are no addresses; PDF and view-source", async () => {
    for (const url of ["chrome://version", "file:///etc/passwd", "javascript:alert(1)", "data:text/html,x", `view-source:${app.origin}`])
      assert.match(await refused("navigate", { url }), /acts in pages of http and https/);
    assert.match(await done("navigate", { url: "about:blank" }), /navigated to about:blank/);
    assert.match(await done("snapshot"), /the page shows nothing/);
  });

  test("a page that closes itself is no failure", async () => {
    app.set_page("/terms", `<title>Terms</title><button onclick="window.close()">Close</button>`);
    await open(`<title>Main</title><a href="/terms" target=_blank>Terms</a>`);
    const opened = await done("click", { text: "Terms" });
    const [page] = /p\d+/.exec(opened);
    assert.match(await done("click", { page, text: "Close" }), new RegExp(`clicked button "Close"\nthe page ${page} was closed`));
    assert.match(await refused("read", { page }), new RegExp(`There is no page ${page} of yours`));
  });

  test("fifty pages that come and go", async () => {
    app.set_page("/tab", "<title>Tab</title>");
    await open(`<title>Opener</title><button>Churn</button><script>
      document.querySelector("button").onclick = () => { for (let i = 0; i < 50; i++) {
        const tab = window.open("/tab?" + i); setTimeout(() => tab?.close(), 20 * i); } };</script>`);
    await done("click", { text: "Churn" });
    await done("wait_for", { seconds: 3 });
    const list = await done("tabs", { do: "list" });
    assert.match(list, /"Opener"/);
    assert.match(await done("click", { text: "Churn" }), /clicked button "Churn"/);
  });
});
