// JSON-RPC lines and MCP requests of every kind on stdin, and what must come back.
import assert from "node:assert/strict";
import { test } from "node:test";

import { wait_until } from "./support/deadline.mjs";
import { start_engine, with_engine } from "./support/engine.mjs";

const revisions = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];
const line = (message) => JSON.stringify({ jsonrpc: "2.0", ...message });
const observe_errors = { name: "observe", arguments: { what: "errors" } };

const assert_error = (message, code, id) => {
  assert.equal(message?.error?.code, code, JSON.stringify(message));
  assert.deepEqual(message.id, id);
};

// Exactly one error comes back, and the engine lives on.
const assert_refused = async (engine, bytes, code, id = null) => {
  const told = await engine.told_about(bytes);
  assert.equal(told.length, 1, JSON.stringify(told));
  assert_error(told[0], code, id);
};

for (const version of revisions)
  test(`revision ${version} is agreed to as it is`, async () => {
    await with_engine(
      async (engine) => {
        const { result } = await engine.initialize(version);
        assert.equal(result.protocolVersion, version);
        assert.equal(result.serverInfo.name, "gasoline");
        assert.match(result.serverInfo.version, /^\d+\.\d+\.\d+/);
        assert.equal("title" in result.serverInfo, version >= "2025-06-18");
        assert.deepEqual(result.capabilities.logging, {});
        for (const key of ["tools", "resources", "prompts"])
          assert.ok(key in result.capabilities, key);
        assert.equal("completions" in result.capabilities, version >= "2025-03-26");
        for (const key of ["tasks", "extensions"])
          assert.ok(!(key in result.capabilities), key);
        assert.equal((await engine.call("observe", { what: "errors" })).isError, undefined);
      },
      { version: null },
    );
  });

for (const asked of ["2099-01-01", "2026-07-28", "2024-10-07", "", "latest"])
  test(`revision "${asked}" is answered with 2025-11-25`, async () => {
    await with_engine(
      async (engine) => {
        const { result } = await engine.initialize(asked);
        assert.equal(result.protocolVersion, "2025-11-25");
      },
      { version: null },
    );
  });

test("initialize without a version is refused, and may be sent again", async () => {
  await with_engine(
    async (engine) => {
      for (const params of [undefined, {}, { protocolVersion: 5 }, { protocolVersion: null }])
        assert_error(await engine.request("initialize", params, { id: "i" }), -32602, "i");
      assert.ok((await engine.initialize()).result);
      await engine.assert_alive();
    },
    { version: null },
  );
});

test("one write with everything: two responses in order, none for the notifications", async () => {
  await with_engine(
    async (engine) => {
      engine.send_raw(
        [
          line({
            id: 1,
            method: "initialize",
            params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: {} },
          }),
          line({ id: 2, method: "tools/list" }),
          line({ method: "notifications/initialized" }),
          line({ method: "notifications/xyz", params: { a: 1 } }),
          line({ method: "notifications/roots/list_changed" }),
          "",
        ].join("\n"),
      );
      await engine.answer(2);
      await engine.assert_alive();
      assert.deepEqual(
        engine.messages.slice(0, 2).map(({ id, result }) => [id, result !== undefined]),
        [
          [1, true],
          [2, true],
        ],
      );
      assert.equal(engine.lines.length, 3);
    },
    { version: null },
  );
});

test("a request before initialize is answered and does no harm", async () => {
  await with_engine(
    async (engine) => {
      for (const method of ["tools/list", "logging/setLevel", "resources/list", "nonsense"]) {
        const answer = await engine.request(method, {}, { id: method });
        assert.ok(answer.error?.code < 0 || answer.result);
      }
      assert.deepEqual((await engine.request("ping")).result, {});
      assert.ok((await engine.initialize()).result);
      assert.ok((await engine.request("tools/list")).result.tools.length >= 2);
    },
    { version: null },
  );
});

test("logging/setLevel between initialize and initialized is accepted", async () => {
  await with_engine(
    async (engine) => {
      await engine.request("initialize", { protocolVersion: "2025-06-18" });
      assert.deepEqual((await engine.request("logging/setLevel", { level: "debug" })).result, {});
    },
    { version: null },
  );
});

test("all eight levels are known, others are refused", async () => {
  await with_engine(async (engine) => {
    for (const level of "debug info notice warning error critical alert emergency".split(" "))
      assert.deepEqual((await engine.request("logging/setLevel", { level })).result, {});
    for (const params of [{ level: "loud" }, { level: 3 }, { level: null }, {}, undefined])
      assert_error(await engine.request("logging/setLevel", params, { id: "l" }), -32602, "l");
  });
});

test("unknown and unsupported methods are -32601 with the id", async () => {
  await with_engine(async (engine) => {
    for (const method of [
      "tools/nonsense",
      "",
      "Ping",
      "prompts/nonsense",
      "sampling/createMessage",
      "tasks/list",
      "subscriptions/listen",
    ])
      assert_error(await engine.request(method, {}, { id: "m" }), -32601, "m");
    await engine.assert_alive();
  });
});

test("ids come back as they were", async () => {
  await with_engine(async (engine) => {
    for (const id of [
      "0",
      "-1",
      '""',
      '"0"',
      "9007199254740993",
      "-9223372036854775808",
      "18446744073709551615",
      '"a\\u0000b"',
      '"\\ud83d\\ude00 \\"quoted\\" \\\\"',
      JSON.stringify("long ".repeat(20_000)),
    ]) {
      const from = engine.lines.length;
      engine.send_raw(`{"jsonrpc":"2.0","id":${id},"method":"ping"}\n`);
      await engine.message((m) => "result" in m, { from });
      const echoed = /"id":("(?:[^"\\]|\\.)*"|-?\d+)/s.exec(engine.lines[from])[1];
      if (id.startsWith('"')) assert.equal(JSON.parse(echoed), JSON.parse(id));
      else assert.equal(echoed, id);
    }
  });
});

test("what is no id is refused with id null", async () => {
  await with_engine(async (engine) => {
    for (const id of [
      "null",
      "1.5",
      "true",
      "{}",
      "[1]",
      "123456789012345678901234567890",
      "1e3",
    ]) {
      const told = await engine.told_about(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`);
      assert.equal(told.length, 1);
      if (id === "1e3" && told[0].result) assert.equal(told[0].id, 1000);
      else assert_error(told[0], -32600, null);
    }
    const [huge] = await engine.told_about('{"jsonrpc":"2.0","id":1e999,"method":"ping"}');
    assert.ok([-32600, -32700].includes(huge.error.code));
    await engine.assert_alive();
  });
});

test("an id in flight twice gets two answers", async () => {
  await with_engine(async (engine) => {
    const twice = line({ id: 7, method: "tools/call", params: observe_errors }) + "\n";
    engine.send_raw(twice + twice);
    await wait_until(
      () => engine.messages.filter((m) => m.id === 7).length === 2,
      () => `answers: ${engine.lines.filter((l) => l.includes('"id":7')).length}`,
      { ms: 5000 },
    );
  });
});

test("wrong shapes keep their ids", async () => {
  await with_engine(async (engine) => {
    for (const message of [
      '{"id":5,"method":"ping"}',
      '{"jsonrpc":"1.0","id":5,"method":"ping"}',
      '{"jsonrpc":2.0,"id":5,"method":"ping"}',
      '{"jsonrpc":"2.0","id":5}',
      '{"jsonrpc":"2.0","id":5,"method":7}',
      '{"jsonrpc":"2.0","id":5,"method":null}',
    ])
      await assert_refused(engine, message, -32600, 5);
    for (const params of ['"text"', "7", "true"]) {
      const [answer, ...more] = await engine.told_about(
        `{"jsonrpc":"2.0","id":5,"method":"tools/call","params":${params}}`,
      );
      assert.deepEqual(more, []);
      assert.ok([-32600, -32602].includes(answer.error.code), JSON.stringify(answer));
      assert.equal(answer.id, 5);
    }
    for (const params of [{}, { name: 5 }, { name: null }, { name: "observe", arguments: [] }])
      assert_error(await engine.request("tools/call", params, { id: "t" }), -32602, "t");
    for (const text of ["5", '"text"', "null", "true"]) await assert_refused(engine, text, -32600);
    await engine.assert_alive();
  });
});

test("what is no JSON is -32700 with id null", async () => {
  await with_engine(async (engine) => {
    for (const text of [
      "{",
      "garbage",
      '{"jsonrpc":"2.0","id":1,"method":"ping"',
      '{"jsonrpc":"2.0","id":1,"method":"ping"}}',
      '{"jsonrpc":"2.0","id":1,"method":"ping"} {"jsonrpc":"2.0","id":2,"method":"ping"}',
      '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":NaN}}',
      '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":Infinity}}',
      "{'jsonrpc':'2.0','id':1,'method':'ping'}",
      '{"jsonrpc":"2.0","id":1,"method":"ping"/* */}',
      "Content-Length: 40",
      '{"jsonrpc":"2.0","id":1,"method":"pi\u0000ng"}',
    ])
      await assert_refused(engine, text, -32700);
    await engine.assert_alive();
  });
});

test("invalid UTF-8 is -32700 with id null", async () => {
  await with_engine(async (engine) => {
    const broken = (bytes) =>
      Buffer.concat([
        Buffer.from(
          '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"observe","arguments":{"what":"',
        ),
        Buffer.from(bytes),
        Buffer.from('"}}}'),
      ]);
    for (const bytes of [
      [0xff, 0xfe],
      [0xc3],
      [0xed, 0xa0, 0x80],
      [0xc0, 0xaf],
      [0xf8, 0x88, 0x80, 0x80, 0x80],
      [0xf4, 0x90, 0x80, 0x80],
    ])
      await assert_refused(engine, broken(bytes), -32700);
    await engine.assert_alive();
  });
});

test("numbers out of range and duplicate keys get one answer each", async () => {
  await with_engine(async (engine) => {
    for (const text of [
      '{"jsonrpc":"2.0","id":4,"method":"ping","params":{"x":1e999}}',
      '{"jsonrpc":"2.0","id":4,"method":"ping","params":{"x":-1e999}}',
      '{"jsonrpc":"2.0","id":4,"method":"nope","method":"ping"}',
      '{"jsonrpc":"2.0","id":3,"id":4,"method":"ping"}',
    ])
      assert.equal((await engine.told_about(text)).length, 1);
    await engine.assert_alive();
  });
});

test("deep nesting ends at a limit, not on the stack", async () => {
  await with_engine(async (engine) => {
    const deep = (n) => "[".repeat(n) + "]".repeat(n);
    await assert_refused(engine, "[".repeat(512_000), -32600);
    await assert_refused(engine, deep(100_000), -32600);
    await assert_refused(engine, '{"a":'.repeat(100_000) + "1" + "}".repeat(100_000), -32600);
    const nested = (n) => `{"jsonrpc":"2.0","id":6,"method":"ping","params":{"x":${deep(n)}}}`;
    assert.equal((await engine.told_about(nested(100_000)))[0].error.code, -32600);
    assert.deepEqual((await engine.told_about(nested(40)))[0].result, {});
    const brackets = JSON.stringify("[".repeat(1000) + '\\"[');
    const [text] = await engine.told_about(
      `{"jsonrpc":"2.0","id":6,"method":"ping","params":{"x":${brackets}}}`,
    );
    assert.deepEqual(text.result, {});
  });
});

test("line ends: CRLF, empty lines, split writes, long lines", async () => {
  await with_engine(async (engine) => {
    engine.send_raw('\n\n\r\n{"jsonrpc":"2.0","id":1000,"method":"ping"}\r\n\n');
    assert.deepEqual((await engine.answer(1000)).result, {});

    const bytes = Buffer.from('{"jsonrpc":"2.0","id":"\u{1f600}","method":"ping"}\n');
    for (const byte of bytes) {
      engine.send_raw(Buffer.from([byte]));
      await new Promise(setImmediate);
    }
    assert.deepEqual((await engine.answer("\u{1f600}")).result, {});

    const padding = "x".repeat(2 << 20);
    assert.deepEqual((await engine.request("ping", { padding })).result, {});
    const before = engine.lines.length;
    await engine.assert_alive();
    assert.equal(engine.lines.length, before + 1, "empty lines are not answered");
  });
});

test("200 MB without a line end: refused once, memory bounded, then alive", async () => {
  await with_engine(async (engine) => {
    const before = engine.memory_kb();
    const from = engine.messages.length;
    const chunk = Buffer.alloc(1 << 20, "x");
    let peak = 0;
    for (let i = 0; i < 200; ++i) {
      if (!engine.send_raw(chunk)) await new Promise((go) => engine.child.stdin.once("drain", go));
      peak = Math.max(peak, engine.memory_kb());
    }
    engine.send_raw("\n");
    await engine.assert_alive();
    const told = engine.messages.slice(from).filter((m) => "error" in m);
    assert.equal(told.length, 1);
    assert_error(told[0], -32600, null);
    assert.match(told[0].error.message, /10485760/);
    assert.ok(peak - before < 40_000, `grew by ${peak - before} kB`);
  });
});

test("batches are served under 2025-03-26 only", async () => {
  const batch = `[${line({ id: 1, method: "ping" })}]`;
  for (const version of revisions.filter((v) => v !== "2025-03-26"))
    await with_engine((engine) => assert_refused(engine, batch, -32600), { version });
  await with_engine((engine) => assert_refused(engine, batch, -32600), { version: null });
});

test("a batch is answered by one array", async () => {
  await with_engine(
    async (engine) => {
      const from = engine.messages.length;
      engine.send_raw(
        `[${[
          line({ id: 1, method: "ping" }),
          line({ method: "notifications/xyz" }),
          line({ id: "two", method: "tools/call", params: observe_errors }),
          line({ id: 3, method: "nonsense" }),
          "5",
          '{"jsonrpc":"2.0","id":{},"method":"ping"}',
          line({ id: 6, method: "tools/list" }),
          line({ id: 7, method: "initialize", params: { protocolVersion: "2025-06-18" } }),
        ].join(",")}]\n`,
      );
      const answers = await engine.message(Array.isArray, { from });
      const by_id = Object.fromEntries(answers.map((m) => [m.id, m.error?.code ?? "result"]));
      assert.equal(answers.length, 7);
      assert.deepEqual(by_id, {
        1: "result",
        two: "result",
        3: -32601,
        null: -32600,
        6: "result",
        7: -32600,
      });
      assert.equal(engine.messages.length, from + 1);

      assert.deepEqual(await engine.told_about(`[${line({ method: "notifications/xyz" })}]`), []);
      await assert_refused(engine, "[]", -32600);
      const [one] = await engine.told_about(`[${line({ id: 1, method: "ping" })}]`);
      assert.deepEqual(one, [{ jsonrpc: "2.0", id: 1, result: {} }]);
      const many = Array.from({ length: 1000 }, (_, id) => line({ id, method: "ping" }));
      const [all] = await engine.told_about(`[${many}]`);
      assert.deepEqual(
        all.map(({ id }) => id),
        many.map((_, id) => id),
      );
    },
    { version: "2025-03-26" },
  );
});

test("cancelling what is unknown, answered or malformed is silent", async () => {
  await with_engine(async (engine) => {
    await engine.request("ping", {}, { id: 50 });
    const cancel = (params) => line({ method: "notifications/cancelled", params });
    for (const text of [
      cancel({ requestId: 1234 }),
      cancel({ requestId: 50, reason: "late" }),
      cancel({ requestId: "50" }),
      cancel({ requestId: null }),
      cancel({ requestId: [{}] }),
      cancel({}),
      cancel(undefined),
      '{"jsonrpc":"2.0","id":9,"result":{}}',
      '{"jsonrpc":"2.0","id":9,"error":{"code":1,"message":"x"}}',
    ])
      assert.deepEqual(await engine.told_about(text), [], text);
    assert.deepEqual((await engine.request("ping", {}, { id: 1234 })).result, {});
  });
});

test("a cancelled request gets at most one line, and others are not disturbed", async () => {
  await with_engine(async (engine) => {
    engine.send_raw(
      [
        line({ id: 99, method: "tools/call", params: observe_errors }),
        line({ method: "notifications/cancelled", params: { requestId: 99 } }),
        line({ id: 100, method: "tools/call", params: observe_errors }),
        "",
      ].join("\n"),
    );
    assert.ok((await engine.answer(100)).result);
    await engine.assert_alive();
    assert.ok(engine.messages.filter((m) => m.id === 99).length <= 1);
  });
});

test("tools/list: stable, small, plain object schemas", async () => {
  for (const args of [[], ["--toolsets", "core,streams,compat"]])
    await with_engine(
      async (engine) => {
        const orders = [];
        for (const params of [undefined, {}, { cursor: "" }]) {
          const answer = await engine.request("tools/list", params);
          assert.equal(answer.result.nextCursor, undefined);
          orders.push(answer.result.tools.map(({ name }) => name).join());
          assert.ok(Buffer.byteLength(engine.lines.at(-1)) <= 12_288, "more than 12 KB");
          for (const tool of answer.result.tools) {
            assert.match(tool.name, /^[A-Za-z0-9_.-]{1,128}$/);
            assert.ok(tool.description.length > 40);
            assert.equal(tool.inputSchema.type, "object");
            for (const key of ["anyOf", "oneOf", "allOf"]) assert.ok(!(key in tool.inputSchema));
            assert.equal(tool.outputSchema, undefined);
            assert.equal(typeof tool._meta.data_counts, "object");
          }
        }
        assert.deepEqual(new Set(orders).size, 1);
        assert.equal(/\bconfigure_streaming\b/.test(orders[0]), args.length > 0);
        for (const cursor of ["x", "1", 5])
          assert_error(await engine.request("tools/list", { cursor }, { id: "c" }), -32602, "c");
      },
      { args },
    );
});

test("an unknown tool is -32602", async () => {
  await with_engine(async (engine) => {
    for (const name of ["nope", "", "Observe", "observe ", "__proto__", "a".repeat(100_000)]) {
      const answer = await engine.request("tools/call", { name, arguments: {} }, { id: "u" });
      assert_error(answer, -32602, "u");
      assert.ok(JSON.stringify(answer).length < 1000);
    }
    assert.match(
      (await engine.request("tools/call", { name: "nope" })).error.message,
      /observe.*configure/,
    );
  });
});

test("bad arguments are results that name the valid values, in every revision", async () => {
  const streaming = (more) => ["configure", { action: "streaming", ...more }];
  const enable = (more) => streaming({ streaming_action: "enable", ...more });
  const cases = [
    ["observe", { what: "eror" }, /errors.*timeline.*alerts/],
    ["observe", {}, /errors.*timeline.*alerts/],
    ["observe", { what: 5 }, /errors|text|string/],
    ["observe", { what: "errors", min_level: "loud" }, /warn.*error|error.*warn/],
    ["observe", { what: "errors", limit: 0 }, /1.*1000/],
    ["observe", { what: "errors", limit: 1e12 }, /1.*1000/],
    ["observe", { what: "errors", limit: "5x" }, /limit/],
    ["observe", { what: "errors", since: "yesterday" }, /ISO 8601/],
    ["observe", { what: "errors", cursor: "nonsense" }, /cursor/],
    ["observe", { what: "errors", max_bytes: -1 }, /max_bytes/],
    ["configure", { action: "strem" }, /streaming.*health.*clear.*noise_rule/],
    ["configure", {}, /streaming.*health.*clear.*noise_rule/],
    [...streaming({ streaming_action: "start" }), /enable.*disable.*status/],
    [...streaming({}), /enable.*disable.*status/],
    [...enable({ events: ["eror"] }), /errors.*network_errors.*performance.*all/],
    [...enable({ events: [] }), /errors.*all/],
    [...enable({ events: 5 }), /events/],
    [...enable({ events: ["errors", 5] }), /events/],
    [...enable({ throttle_seconds: 0 }), /1.*60/],
    [...enable({ throttle_seconds: 61 }), /1.*60/],
    [...enable({ throttle_seconds: 1.5 }), /1.*60/],
    [...enable({ severity_min: "critical" }), /info.*warning.*error/],
    [...enable({ url_filter: 7 }), /url_filter/],
    ["configure", { action: "noise_rule", noise_action: "hide" }, /add.*remove.*list/],
    ["configure", { action: "noise_rule", noise_action: "add", pattern: "(" }, /\(|parenthes/],
    ["configure_streaming", { action: "start" }, /enable.*disable.*status/],
  ];
  for (const version of ["2024-11-05", "2025-11-25"])
    await with_engine(
      async (engine) => {
        for (const [name, args, expected] of cases) {
          const result = await engine.call(name, args);
          assert.equal(result.isError, true, `${name} ${JSON.stringify(args)}`);
          assert.match(result.content[0].text, expected, `${name} ${JSON.stringify(args)}`);
        }
        const { config } = await engine.stream({ streaming_action: "status" });
        assert.equal(config.enabled, false, "a wrong value changes nothing");
      },
      { version },
    );
});

test("resources: the guide, and -32002 with the uri for others", async () => {
  await with_engine(async (engine) => {
    const { result } = await engine.request("resources/list");
    const guide = result.resources.find(({ uri }) => uri === "gasoline://guide");
    assert.ok(guide.name && guide.description && guide.mimeType);
    const read = await engine.request("resources/read", { uri: guide.uri });
    assert.equal(read.result.contents.length, 1);
    assert.equal(read.result.contents[0].mimeType, guide.mimeType);
    for (const uri of ["gasoline://nope", "", "file:///etc/passwd", "gasoline://guide/", "x\n"]) {
      const answer = await engine.request("resources/read", { uri }, { id: "r" });
      assert_error(answer, -32002, "r");
      assert.equal(answer.error.data.uri, uri);
    }
    for (const params of [undefined, {}, { uri: 5 }])
      assert_error(await engine.request("resources/read", params, { id: "r" }), -32602, "r");
    const { result: templates } = await engine.request("resources/templates/list");
    for (const { uriTemplate, name, description } of templates.resourceTemplates) {
      assert.match(uriTemplate, /^gasoline:\/\/.*\{\w+\}/);
      assert.ok(name && description);
    }
  });
});

test("the 101st tool call within a minute says when to retry", async () => {
  await with_engine(async (engine) => {
    for (let i = 0; i < 100; ++i)
      assert.ok(!(await engine.call("configure", { action: "health" })).isError, `call ${i + 1}`);
    const over = await engine.call("observe", { what: "errors" });
    assert.equal(over.isError, true);
    const [, seconds] = /in (\d+) s/.exec(over.content[0].text);
    assert.ok(seconds >= 1 && seconds <= 60, over.content[0].text);
    await engine.assert_alive();
    assert.ok((await engine.request("tools/list")).result, "only tool calls are counted");
    assert_error(await engine.request("tools/call", { name: "nope" }, { id: 1 }), -32602, 1);
  });
});

test("initialize again: streaming is off", async () => {
  await with_engine(async (engine) => {
    await engine.stream({ streaming_action: "enable", throttle_seconds: 9 });
    await engine.initialize("2025-06-18");
    const { config, notify_count } = await engine.stream({ streaming_action: "status" });
    assert.equal(config.enabled, false);
    assert.equal(notify_count, 0);
  });
});

test("logging at trace level never reaches stdout", async () => {
  const engine = start_engine({ args: ["--log-level", "trace"] });
  await engine.initialize();
  await engine.post("/logs", "{broken");
  await engine.post("/ci-result", { status: "failure", source: "x" });
  await engine.observe({ what: "errors" });
  engine.child.kill("SIGTERM");
  await engine.end();
  engine.assert_clean();
  assert.match(engine.stderr, /gasoline/);
  await engine.stop();
});
