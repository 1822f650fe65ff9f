// The roots of a client say where it works, whichever directory its process was started in.
import assert from "node:assert/strict";
import { mkdirSync, existsSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ListRootsRequestSchema } from "@modelcontextprotocol/sdk/types.js";

import { start_daemon } from "./support/daemon.mjs";
import { wait_until } from "./support/deadline.mjs";
import { start_engine, temporary_directory, with_engine } from "./support/engine.mjs";
import { http_session, notification_of } from "./support/mcp_http.mjs";

const fault = (mark, stack) => ({
  entries: [
    {
      level: "error",
      type: "exception",
      message: `Uncaught TypeError: ${mark} is not a function`,
      url: "http://localhost:3000/",
      stack: `TypeError: ${mark} is not a function\n    at f (${stack}/src/app.js:1:1)`,
      ts: new Date().toISOString(),
    },
  ],
});

const text_of = (value) => JSON.stringify(value);
const uri_of = (directory) => pathToFileURL(directory).href;
const roots_of = (...directories) => ({ roots: directories.map((one) => ({ uri: uri_of(one) })) });

const with_projects = async (names, use) => {
  const home = temporary_directory();
  const projects = names.map((name) => {
    const directory = path.join(home, name);
    mkdirSync(path.join(directory, ".git"), { recursive: true });
    return directory;
  });
  await use(projects, home);
};

// A client whose process was started in `cwd` and that says it has roots.
const joins = async (client, capability = { listChanged: true }) => {
  await client.request("initialize", {
    protocolVersion: "2025-11-25",
    capabilities: { roots: capability },
    clientInfo: { name: "roots", version: "1" },
  });
  client.notify("notifications/initialized");
};

const is_question = (m) => m.method === "roots/list";

// Answers the next question for roots; a ping says that the answer has been read.
const answers = async (client, result, from = 0) => {
  const question = await client.message(is_question, { from });
  client.send({ jsonrpc: "2.0", id: question.id, ...result });
  await client.request("ping");
};

const scope = async (client) =>
  JSON.parse((await client.call("configure", { action: "scope" })).content[0].text);

test("clients that an editor has started in its own directory are told of their roots only", async () => {
  await with_projects(["a", "b"], async ([a, b], home) => {
    const clients = [0, 1].map(() => start_engine({ state_dir: home, cwd: home }));
    try {
      for (const [n, client] of clients.entries()) {
        await joins(client);
        await answers(client, { result: roots_of([a, b][n]) });
        assert.equal((await scope(client)).project, [a, b][n]);
      }
      const [in_a, in_b] = clients;
      await in_a.post("/logs", fault("alphafault", a));
      await in_a.post("/logs", fault("betafault", b));
      const seen_a = await in_a.observe({ what: "actions" });
      assert.match(seen_a.block, /alphafault/);
      assert.match(seen_a.block, /1 alert of another project/);
      assert.doesNotMatch(seen_a.block, /betafault/);
      const seen_b = await in_b.observe({ what: "actions" });
      assert.match(seen_b.block, /betafault/);
      assert.doesNotMatch(seen_b.block, /alphafault/);

      // The editor opens the other folder, too; then only that.
      const from = in_a.messages.length;
      in_a.notify("notifications/roots/list_changed");
      await answers(in_a, { result: roots_of(a, b) }, from);
      assert.deepEqual((await scope(in_a)).further_projects, [b]);
      const listed = text_of(await in_a.call("observe", { what: "alerts" }));
      assert.match(listed, /alphafault/);
      assert.match(listed, /betafault/);
      const later = in_a.messages.length;
      in_a.notify("notifications/roots/list_changed");
      await answers(in_a, { result: roots_of(b) }, later);
      await in_a.post("/logs", fault("gammafault", a));
      assert.equal((await in_a.observe({ what: "actions" })).block, undefined);
    } finally {
      for (const client of clients) client.child.kill("SIGKILL");
    }
  });
});

test("below its roots the process says more, and a new handshake forgets them", async () => {
  await with_projects(["a", "a/inner", "b"], async ([a, inner, b]) => {
    await with_engine(
      async (client) => {
        await joins(client);
        await answers(client, { result: roots_of(b, a) });
        assert.equal((await scope(client)).project, inner);
        await client.initialize();
        const again = await scope(client);
        assert.equal(again.project, inner);
        assert.equal(again.further_projects, undefined);
      },
      { version: null, cwd: inner },
    );
  });
});

test("who offers no roots is not asked; changes that come faster than answers are asked for once", async () => {
  await with_projects(["a"], async ([a]) => {
    await with_engine(async (client) => {
      client.notify("notifications/roots/list_changed");
      await client.request("ping");
      assert.equal(client.messages.some(is_question), false);
    });
    await with_engine(
      async (client) => {
        await joins(client);
        const question = await client.message(is_question);
        for (let n = 0; n < 500; ++n) client.notify("notifications/roots/list_changed");
        await client.request("ping");
        const asked = () => client.messages.filter(is_question).length;
        assert.equal(asked(), 1);
        client.send({ jsonrpc: "2.0", id: question.id, result: { roots: [] } });
        await client.request("ping");
        assert.equal(asked(), 2);
        await answers(client, { result: roots_of(a) }, client.messages.length - 2);
        assert.equal((await scope(client)).project, a);
        assert.equal(asked(), 2);
      },
      { version: null },
    );
  });
});

test("what names no directory of this machine is passed over", async () => {
  await with_projects(["a", "with space", "100%done", "c#"], async ([a, space, percent, hash]) => {
    const cases = [
      [{ result: { roots: [{ uri: `file://${space}` }] } }, space], // not encoded
      [{ result: { roots: [{ uri: `file://${percent}` }] } }, percent],
      [{ result: { roots: [{ uri: `file://${hash}` }] } }, hash],
      [{ result: { roots: [{ uri: `${uri_of(a)}/` }] } }, a],
      [{ result: { roots: [{ uri: `file://localhost${a}/../a/.` }] } }, a],
      [{ result: { roots: [{ uri: `FILE:${a}` }] } }, a],
      [{ result: { roots: [{ uri: `file://elsewhere${a}` }, { uri: `https://host${a}` }] } }],
      [{ result: { roots: [{ uri: "file:///" }, { uri: "file:///no/such/place" }] } }],
      [{ result: { roots: [{ uri: `${uri_of(a)}%00` }, { uri: `${uri_of(a)}%0Ax` }] } }],
      [{ result: { roots: [{ uri: `file://${"/x".repeat(40_000)}` }] } }],
      [{ result: { roots: ["text", 7, null, {}, { uri: 7 }, { uri: "" }] } }],
      [{ result: { roots: "text" } }],
      [{ result: [] }],
      [{ result: {} }],
      [{ error: { code: -32601, message: "Method not found" } }],
      [{ result: { roots: Array.from({ length: 20_000 }, (_, n) => ({ uri: `file:///n${n}` })) } }],
      [{ result: { roots: Array.from({ length: 50 }, () => ({ uri: uri_of(a) })) } }, a],
    ];
    for (const [answer, expected] of cases)
      await with_engine(
        async (client) => {
          await joins(client, {});
          await answers(client, answer);
          const { project, further_projects } = await scope(client);
          const why = text_of(answer).slice(0, 120);
          assert.equal(project, expected ?? client.state_dir, why);
          assert.equal(further_projects, undefined, why);
        },
        { version: null },
      );
  });
});

test("the next engine asks anew when the one before is killed", async () => {
  await with_projects(["a", "b"], async ([a, b], home) => {
    const clients = [];
    try {
      // The second starts once the first has answered: the engine is the first one's then.
      for (const directory of [a, b]) {
        const client = start_engine({ state_dir: home, cwd: home });
        clients.push(client);
        await joins(client);
        await answers(client, { result: roots_of(directory) });
      }
      const [first, second] = clients;
      const from = second.messages.length;
      process.kill((await first.health()).pid, "SIGKILL");
      await answers(second, { result: roots_of(b) }, from);
      assert.equal((await scope(second)).project, b);
    } finally {
      for (const client of clients) client.child.kill("SIGKILL");
    }
  });
});

test("a client over HTTP that has no stream to be asked on is served all the same", async () => {
  const engine = start_daemon();
  try {
    const port = await engine.port();
    const session = await http_session.open(port, { capabilities: { roots: {} } });
    await session.post(notification_of("notifications/roots/list_changed"));
    const refused = await session.call("configure", { action: "scope" });
    assert.equal(refused.isError, true);
    assert.match(refused.content[0].text, /not known in which directory/);
    await engine.post("/logs", fault("everyones", "/nowhere"));
    assert.match(text_of(await session.call("observe", { what: "actions" })), /everyones/);
  } finally {
    await engine.stop();
  }
});

test("a client of the official SDK over HTTP has the directory of its roots, and writes no file there", async () => {
  await with_projects(["a", "b"], async ([a, b]) => {
    const engine = start_daemon();
    const clients = [];
    try {
      const address = await engine.address();
      const join = async (directory) => {
        const client = new Client(
          { name: "sdk 1", version: "1.0.0" },
          { capabilities: { roots: { listChanged: true } } },
        );
        let asked = 0;
        client.setRequestHandler(ListRootsRequestSchema, () => {
          asked += 1;
          return roots_of(directory);
        });
        clients.push(client);
        await client.connect(new StreamableHTTPClientTransport(address));
        const call = (name, args) => client.callTool({ name, arguments: args });
        const known = async () => {
          const { content } = await call("configure", { action: "scope" });
          return content[0].text.includes(directory);
        };
        await wait_until(() => asked > 0, () => "not asked");
        await wait_until(known, () => "roots are not heeded");
        return { client, call };
      };
      const in_a = await join(a);
      const in_b = await join(b);
      await engine.post("/logs", fault("alphafault", a));
      const told = async ({ call }) => text_of(await call("observe", { what: "alerts" }));
      assert.match(await told(in_a), /alphafault/);
      assert.doesNotMatch(await told(in_b), /alphafault/);
      const refused = await in_a.call("configure", { action: "scope", origins: ["http://localhost:1"] });
      assert.equal(refused.isError, true);
      assert.match(refused.content[0].text, /gasoline setup project/);
      assert.equal(existsSync(path.join(a, ".gasoline.json")), false);
    } finally {
      for (const client of clients) await client.close();
      await engine.stop();
    }
  });
});
