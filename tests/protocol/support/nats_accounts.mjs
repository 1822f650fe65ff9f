// NATS accounts without `nsc`: nkeys (ed25519) and the tokens that they sign.
import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

const base32 = (bytes) => {
  let [out, bits, value] = ["", 0, 0];
  for (const byte of bytes) {
    value = (value << 8) | byte;
    for (bits += 8; bits >= 5; bits -= 5) out += alphabet[(value >>> (bits - 5)) & 31];
    value &= (1 << bits) - 1;
  }
  return bits > 0 ? out + alphabet[(value << (5 - bits)) & 31] : out;
};

// CRC-16/XMODEM, the end of every nkey.
const crc16 = (bytes) => {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let i = 0; i < 8; i += 1) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff;
  }
  return Buffer.from([crc & 0xff, crc >> 8]);
};

const encoded = (...parts) => {
  const bytes = Buffer.concat(parts);
  return base32(Buffer.concat([bytes, crc16(bytes)]));
};

const prefixes = { operator: 14 << 3, account: 0, user: 20 << 3 };
const seed_prefix = 18 << 3;

// A key pair of an operator, account or user.
export class nkey {
  constructor(kind) {
    const { privateKey, publicKey } = generateKeyPairSync("ed25519");
    this.#private = privateKey;
    const prefix = prefixes[kind];
    const raw = (key, type) => key.export({ type, format: "der" }).subarray(-32);
    this.public = encoded(Buffer.from([prefix]), raw(publicKey, "spki"));
    this.seed = encoded(
      Buffer.from([seed_prefix | (prefix >> 5), (prefix & 31) << 3]),
      raw(privateKey, "pkcs8"),
    );
  }

  #private;

  // A token in which this key says something about `subject`.
  token(subject, name, nats, more = {}) {
    const part = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const claims = {
      jti: base32(createHash("sha256").update(randomBytes(16)).digest()),
      iat: Math.floor(Date.now() / 1000),
      iss: this.public,
      name,
      sub: subject.public,
      nats: { version: 2, ...nats },
      ...more,
    };
    const text = `${part({ typ: "JWT", alg: "ed25519-nkey" })}.${part(claims)}`;
    return `${text}.${sign(null, Buffer.from(text), this.#private).toString("base64url")}`;
  }
}

const no_limits = Object.fromEntries(
  ["subs", "data", "payload", "imports", "exports", "conn", "leaf"].map((name) => [name, -1]),
);
const jetstream_limits = { mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 };

// An operator with one account that may use JetStream, and as many users as one wants.
export class nats_operator {
  #operator = new nkey("operator");
  #system = new nkey("account");
  #account = new nkey("account");

  // The part of a server's configuration file that trusts this operator.
  get server_config() {
    const account = (key, name, limits) =>
      this.#operator.token(key, name, {
        type: "account",
        limits: { ...no_limits, wildcards: true, ...limits },
      });
    return `
operator: ${this.#operator.token(this.#operator, "test operator", { type: "operator" })}
system_account: ${this.#system.public}
resolver: MEMORY
resolver_preload: {
  ${this.#system.public}: ${account(this.#system, "system", {})}
  ${this.#account.public}: ${account(this.#account, "streams", jetstream_limits)}
}`;
  }

  // The text of a credentials file; `nats` are further claims, such as permissions.
  credentials({ user = new nkey("user"), seed = user.seed, expired = false, nats = {} } = {}) {
    const more = expired ? { exp: Math.floor(Date.now() / 1000) - 60 } : {};
    const token = this.#account.token(
      user,
      "test user",
      { type: "user", subs: -1, data: -1, payload: -1, ...nats },
      more,
    );
    const text = `-----BEGIN NATS USER JWT-----
${token}
------END NATS USER JWT------

-----BEGIN USER NKEY SEED-----
${seed}
------END USER NKEY SEED------
`;
    return { text, token, seed };
  }
}
