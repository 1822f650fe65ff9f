// Named streams on a nats-server that wants TLS, client certificates or credentials: what is right
// works, what is wrong is refused in a sentence, and no secret is shown anywhere.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import net from "node:net";
import path from "node:path";
import { after, before, test } from "node:test";

import { certificate_authority, has_openssl } from "./support/certificates.mjs";
import { wait_until } from "./support/deadline.mjs";
import { binary, clean_environment, temporary_directory } from "./support/engine.mjs";
import { nats_operator, nkey } from "./support/nats_accounts.mjs";
import { data_of, peer, skip } from "./support/nats_peer.mjs";
import { nats_server } from "./support/nats_server.mjs";

const skip_tls = skip || (!has_openssl && "openssl is not installed");

// For the length of `use`: a server that is started with `server_args`. What it said of a login is
// part of a failure: the client is told only that it may not.
const with_server = async (server_args, use) => {
  const server = await nats_server.start("-D", ...server_args);
  try {
    await use(server);
  } catch (problem) {
    problem.message += `\nnats-server said:\n${server.log.slice(-4000)}`;
    throw problem;
  } finally {
    await server.remove();
  }
};

// For the length of `use`: an engine with that section `nats`.
const with_engine = async (nats, use, { limits, ...more } = {}) => {
  const engine = await peer.start({ nats, limits }, more);
  try {
    await use(engine);
  } catch (problem) {
    await engine.stop().catch(() => {});
    throw problem;
  }
  await engine.stop();
};

// An engine with that section makes a stream and reads what it publishes there.
const works = (nats, more) =>
  with_engine(
    nats,
    async (engine) => {
      await engine.create("s");
      const reader = await engine.open("s");
      await engine.publish("s", { data: "through" });
      await reader.event(({ data }) => data === '"through"');
      assert.deepEqual(data_of(reader), ["through"]);
      reader.drop();
      assert.equal((await engine.health()).reachable, true);
      await engine.send("DELETE", "/streams/s");
    },
    more,
  );

// An engine with that section says why it cannot be used: when it is asked, in health and in its
// log. Gives all that it says.
const refusal = async (nats, more) => {
  let said = "";
  await with_engine(
    nats,
    async (engine) => {
      const answer = await engine.send("POST", "/streams", { name: "s" });
      assert.equal(answer.status, 503, answer.text);
      const { message } = answer.json;
      assert.match(message, /^The NATS server at .*\.$/);
      const health = await engine.health();
      assert.equal(health.reachable, false);
      assert.equal(health.problem, message);
      await wait_until(
        () => engine.engine.stderr.includes(message),
        () => engine.engine.stderr,
      );
      said = message;
    },
    more,
  );
  return said;
};

test(
  "TLS: the server's certificate must be of a known authority and for its name",
  { skip: skip_tls },
  async () => {
    const [ca, stranger] = [new certificate_authority(), new certificate_authority("A Stranger")];
    const server_args = ({ cert, key }) => ["--tls", "--tlscert", cert, "--tlskey", key];
    const tls = { ca: ca.ca };
    try {
      const names = ["DNS:localhost", "IP:127.0.0.1"];
      await with_server(server_args(ca.issue({ names })), async ({ port }) => {
        await works({ url: `tls://localhost:${port}`, tls });
        await works({ url: `tls://127.0.0.1:${port}`, tls });
        await works({ url: `nats://localhost:${port}`, tls });
        // Without `ca` the authorities of the system count.
        await works({ url: `tls://localhost:${port}` }, { env: { SSL_CERT_FILE: ca.ca } });
        const unknown =
          /at tls:\/\/localhost:\d+ cannot be used: .*local issuer certificate.* Look at nats\.tls/;
        assert.match(
          await refusal({ url: `tls://localhost:${port}`, tls: { ca: stranger.ca } }),
          unknown,
        );
        assert.match(await refusal({ url: `tls://localhost:${port}` }), unknown);
        // Nothing is said in the clear to a server that wants TLS.
        assert.match(
          await refusal({ url: `nats://localhost:${port}` }),
          /local issuer certificate/,
        );
        const no_authority = path.join(ca.directory, "empty.pem");
        writeFileSync(no_authority, "none");
        assert.match(
          await refusal({ url: `tls://localhost:${port}`, tls: { ca: no_authority } }),
          /empty\.pem.*Look at nats\.tls/,
        );
      });
      await with_server(server_args(ca.issue({ names: ["DNS:nats.test"] })), async ({ port }) => {
        assert.match(
          await refusal({ url: `tls://localhost:${port}`, tls }),
          /hostname mismatch.*host name in nats\.url/,
        );
        assert.match(await refusal({ url: `tls://127.0.0.1:${port}`, tls }), /address mismatch/);
      });
      await with_server([], async ({ port }) => {
        assert.match(await refusal({ url: `tls://localhost:${port}`, tls }), /It offers no TLS/);
        assert.match(await refusal({ url: `nats://localhost:${port}`, tls }), /It offers no TLS/);
      });
    } finally {
      ca.remove();
      stranger.remove();
    }
  },
);

test("TLS: a server that wants a client certificate gets it", { skip: skip_tls }, async () => {
  const [ca, stranger] = [new certificate_authority(), new certificate_authority("A Stranger")];
  try {
    const { cert, key } = ca.issue({ names: ["DNS:localhost"] });
    const args = ["--tlsverify", "--tlscert", cert, "--tlskey", key, "--tlscacert", ca.ca];
    await with_server(args, async ({ port }) => {
      const with_files = (files) => ({
        url: `tls://localhost:${port}`,
        tls: { ca: ca.ca, ...files },
      });
      const own = ca.issue({ subject: "/CN=gasoline" });
      await works(with_files(own));
      assert.match(await refusal(with_files({})), /may want a client certificate.*nats\.tls\.cert/);
      assert.match(await refusal(with_files(stranger.issue())), /may want a client certificate/);
      assert.match(
        await refusal(with_files({ cert: own.cert, key: ca.issue().key })),
        /key values mismatch.*Look at nats\.tls/,
      );
    });
  } finally {
    ca.remove();
    stranger.remove();
  }
});

// A server that trusts an operator, and files of credentials for it.
let operator;
let directory;
const file_of = (name, text) => {
  const file = path.join(directory, name);
  writeFileSync(file, text, { mode: 0o600 });
  return file;
};

before(() => {
  operator = new nats_operator();
  directory = temporary_directory();
  file_of("operator.conf", operator.server_config);
});
after(() => rmSync(directory, { recursive: true, force: true }));

const with_operator = (use) => with_server(["-c", path.join(directory, "operator.conf")], use);

test(
  "a credentials file logs in; what is wrong with one is said without its secrets",
  { skip },
  () =>
    with_operator(async ({ url }) => {
      const good = operator.credentials();
      await works({ url, credentials_file: file_of("good.creds", good.text) });
      assert.match(
        await refusal({ url }),
        /Authorization Violation.*Look at.*nats\.credentials_file/,
      );
      const wrong = {
        expired: operator.credentials({ expired: true }),
        another_seed: operator.credentials({ seed: new nkey("user").seed }),
        another_operator: new nats_operator().credentials(),
        no_seed: { ...good, text: good.text.split("\n\n")[0] },
        broken_seed: {
          ...good,
          text: good.text.replace(good.seed, `${good.seed.slice(0, -4)}AAAA`),
        },
        nonsense: { ...good, text: good.seed },
      };
      for (const [name, { text, token, seed }] of Object.entries(wrong)) {
        const said = await refusal({ url, credentials_file: file_of(`${name}.creds`, text) });
        assert.match(said, /Look at.*nats\.credentials_file/, name);
        for (const secret of [token, seed, seed.slice(0, -4)])
          assert.ok(!said.includes(secret), `${name}: ${said}`);
      }
    }),
);

// A proxy that takes the signature out of the first login that passes, as nats.c 3.4 does with one
// in 256.
const unsigning_proxy = async (target_port) => {
  let logins = 0;
  const proxy = net.createServer((client) => {
    const server = net.connect(target_port, "127.0.0.1");
    server.pipe(client);
    client.on("data", (bytes) => {
      const login = bytes.includes("CONNECT {");
      if (login) logins += 1;
      const taken = login && logins === 1;
      server.write(taken ? bytes.toString("latin1").replace(/"sig":"[^"]*",/, "") : bytes);
    });
    client.on("close", () => server.destroy()).on("error", () => {});
    server.on("error", () => client.destroy());
  });
  await once(proxy.listen(0, "127.0.0.1"), "listening");
  return proxy;
};

test("a login whose signature got lost is tried again", { skip }, () =>
  with_operator(async (server) => {
    const proxy = await unsigning_proxy(server.port);
    try {
      const { text } = operator.credentials();
      await works({
        url: `nats://127.0.0.1:${proxy.address().port}`,
        credentials_file: file_of("unsigned.creds", text),
      });
      assert.match(server.log, /Signature missing/);
    } finally {
      proxy.close();
    }
  }),
);

test("a login without a permission is told which", { skip }, () =>
  with_operator(async ({ url }) => {
    const login = (name, deny) => ({
      url,
      credentials_file: file_of(
        `${name}.creds`,
        operator.credentials({ nats: { pub: { deny } } }).text,
      ),
    });
    // What the README says that a login needs is enough.
    const pub = { allow: ["$JS.API.>", "$JS.FC.>", "gasoline.>", "gasoline_changed.*"] };
    const sub = { allow: ["_INBOX.>", "$JS.EVENT.ADVISORY.STREAM.>", "gasoline_changed.*"] };
    const enough = operator.credentials({ nats: { pub, sub } });
    await works({ url, credentials_file: file_of("enough.creds", enough.text) });

    const limits = { nats_answer_ms: 500, nats_retry_ms: 100 };
    const told = await refusal(login("no_api", ["$JS.API.>"]), { limits });
    assert.match(told, /Permissions Violation for Publish to "\$JS\.API\.STREAM\.LIST"/);
    await with_engine(
      login("no_events", ["gasoline.>"]),
      async (engine) => {
        await engine.create("s");
        const answer = await engine.send("POST", "/streams/s/events", { data: 1 });
        assert.equal(answer.status, 503, answer.text);
        assert.match(answer.json.message, /Permissions Violation for Publish to "gasoline\.s\._"/);
      },
      { limits },
    );
  }),
);

// All that an engine leaves behind or shows, apart from the configuration it was given.
const traces_of = async (engine, config_file) => {
  const { engine: process_, port } = engine;
  const shown = [process_.stderr, (await engine.send("GET", "/health")).text];
  shown.push(JSON.stringify(await engine.call("configure", { action: "health" })));
  for (const name of readdirSync(process_.state_dir, { recursive: true, withFileTypes: true }))
    if (name.isFile() && !name.name.endsWith("config.json"))
      shown.push(readFileSync(path.join(name.parentPath, name.name), "latin1"));
  const doctor = spawnSync(binary, ["doctor", "--config", config_file, "--port", String(port)], {
    encoding: "utf8",
    env: clean_environment(process_.state_dir),
  });
  return [...shown, doctor.stdout, doctor.stderr].join("\n");
};

test("a password and a token are shown nowhere, whether they are right or wrong", { skip }, () =>
  with_server(["--user", "ann", "--pass", "opensesame"], async ({ port }) => {
    for (const login of [
      "ann:opensesame",
      "ann:guesswork",
      "opensesame",
      "ann:open@sesame",
      "ann:gu%zzess",
    ]) {
      const secrets = login.split(":").filter((part) => part !== "ann");
      const host = login.startsWith("ann:opens")
        ? `127.0.0.1:${port}`
        : `127.0.0.1:${port},nats://${login}@127.0.0.1:1`;
      await with_engine(
        { url: `nats://${login}@${host}` },
        async (engine) => {
          const answer = await engine.send("POST", "/streams", { name: "s" });
          assert.ok([201, 409, 503].includes(answer.status), answer.text);
          const config_file = path.join(engine.engine.state_dir, "test-config.json");
          const traces = answer.text + (await traces_of(engine, config_file));
          assert.match(traces, /nats:\/\/127\.0\.0\.1/);
          for (const secret of secrets)
            assert.ok(
              !traces.includes(secret),
              traces.slice(Math.max(0, traces.indexOf(secret) - 300)).slice(0, 400),
            );
        },
        { args: ["--log-level", "trace"] },
      );
    }
  }),
);

test("a URL that is refused is refused without its password", () => {
  const file = path.join(directory, "refused.json");
  for (const url of [
    "nats://ann:opensesame@",
    "nats://ann:opensesame@a host",
    "http://ann:opensesame@localhost",
    "nats://ann:open,opensesame@localhost",
    ["nats://ann:opensesame@localhost"],
  ]) {
    writeFileSync(file, JSON.stringify({ nats: { url } }));
    const run = spawnSync(binary, ["doctor", "--config", file, "--state-dir", directory], {
      encoding: "utf8",
      env: clean_environment(directory),
    });
    assert.equal(run.status, 2, run.stdout);
    assert.match(run.stderr, /nats\.url must name a server/);
    assert.ok(!(run.stdout + run.stderr).includes("opensesame"), run.stderr);
  }
});
