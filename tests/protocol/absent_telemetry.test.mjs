// What an agent, `health` and `gasoline doctor` say while no telemetry has come: it follows from who
// was turned away and whether a page has loaded the script.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";

import { binary, clean_environment, with_engine } from "./support/engine.mjs";
import { http_request } from "./support/http.mjs";

const entry = { entries: [{ level: "warn", message: "x" }] };

const post_from = (port, origin, body = entry) =>
  http_request(port, { method: "POST", path: "/logs", headers: { origin }, body });

const text_of = async (engine, what = "errors") =>
  (await engine.call("observe", { what })).content[0].text;

const doctor = ({ state_dir }) =>
  new Promise((resolve) =>
    execFile(
      binary,
      ["doctor", "--port", "0", "--state-dir", state_dir],
      { env: clean_environment(state_dir) },
      (_, stdout) => resolve(stdout),
    ),
  );

test("a page that nobody has opened, that has just been opened, and that is refused", () =>
  with_engine(async (engine) => {
    await engine.initialize();
    const port = await engine.port();
    assert.match(await text_of(engine), /no telemetry has arrived.*Add the page script/);

    assert.equal((await http_request(port, { path: "/gasoline.js" })).status, 200);
    for (const what of ["errors", "logs", "vitals", "page"])
      assert.match(await text_of(engine, what), /loaded just now; ask again/, what);
    assert.equal((await engine.health()).http.arrivals.script_loads, 1);

    const preflight = await http_request(port, {
      method: "OPTIONS",
      path: "/logs",
      headers: { origin: "http://myapp.test", "access-control-request-method": "POST" },
    });
    assert.equal(preflight.status, 403);
    assert.equal((await post_from(port, "http://myapp.test")).status, 403);
    const text = await text_of(engine);
    assert.match(text, /refused 2 times/);
    assert.match(text, /http:\/\/myapp\.test.*allowed_origins.*--allowed-origin/);
    assert.doesNotMatch(text, /Add the page script/);

    const [refused] = (await engine.health()).http.arrivals.refused;
    assert.deepEqual(
      { origin: refused.origin, path: refused.path, status: refused.status, count: refused.count },
      { origin: "http://myapp.test", path: "/logs", status: 403, count: 2 },
    );
    const said = await doctor(engine);
    assert.match(said, /refused: +http:\/\/myapp\.test at \/logs: 403, 2 times\./);
    assert.match(said, /note: +No telemetry has arrived.*allowed_origins/);
    assert.match(said, /wrong: +A page was refused 2 times.*--allowed-origin/);
  }));

test("who reads without the right is seen as well, and is no reason for silence", () =>
  with_engine(async (engine) => {
    await engine.initialize();
    const port = await engine.port();
    const origin = "http://localhost:3999";
    const read = await http_request(port, { path: "/mcp/sse", headers: { origin } });
    assert.ok([401, 403].includes(read.status));
    const [refused] = (await engine.health()).http.arrivals.refused;
    assert.equal(refused.path, "/mcp/sse");
    assert.match(await text_of(engine), /Add the page script/);
  }));

test("once telemetry has come, an empty answer is about the filters again", () =>
  with_engine(async (engine) => {
    await engine.initialize();
    const port = await engine.port();
    await post_from(port, "http://evil.test");
    assert.equal((await post_from(port, "http://localhost:3000")).status, 200);
    assert.match(await text_of(engine), /^No errors so far/);
  }));
