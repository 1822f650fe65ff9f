// Invented secrets of many kinds and texts that only look like secrets. Tokens are made at run
// time, so that no file holds a whole one.
import { createHash } from "node:crypto";

const alphabets = {
  alnum: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
  upper: "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
  hex: "0123456789abcdef",
  base64: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
};

let seed = 0;
// Letters that look random and are the same in every run.
const letters = (length, alphabet = "alnum") => {
  const set = alphabets[alphabet];
  let out = "";
  while (out.length < length)
    for (const byte of createHash("sha256")
      .update(`seed ${(seed += 1)}`)
      .digest())
      out += set[byte % set.length];
  return out.slice(0, length);
};

const base64 = (text) => Buffer.from(text).toString("base64");
const base64url = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");

const token = (name, prefix, length, alphabet) => {
  const core = letters(length, alphabet);
  return { name, text: prefix + core, parts: [core] };
};

// Known forms: a secret wherever they stand.
export const tokens = () => [
  token("AWS access key", "AK" + "IA", 16, "upper"),
  token("AWS temporary key", "AS" + "IA", 16, "upper"),
  token("Google API key", "AI" + "za", 35),
  token("Google OAuth secret", "GOC" + "SPX-", 28),
  token("Google OAuth token", "ya29" + ".", 60),
  token("GitHub token", "gh" + "p_", 36),
  token("GitHub app token", "gh" + "s_", 36),
  token("GitHub fine-grained token", "github" + "_pat_", 82),
  token("GitLab token", "gl" + "pat-", 20),
  token("Slack bot token", "xo" + "xb-1234567890-", 24),
  token("Slack webhook", "https://hooks.slack" + ".com/services/T0000AAAA/B0000BBBB/", 24),
  token("Stripe key", "sk" + "_live_", 24),
  token("Stripe restricted key", "rk" + "_live_", 24),
  token("Stripe webhook secret", "wh" + "sec_", 32),
  token("OpenAI key", "sk" + "-", 48),
  token("OpenAI project key", "sk" + "-proj-", 48),
  token("Anthropic key", "sk" + "-ant-api03-", 90),
  token("Hugging Face token", "h" + "f_", 34),
  token("Groq key", "gs" + "k_", 52),
  token("xAI key", "xa" + "i-", 80),
  token("Replicate token", "r" + "8_", 37),
  token("npm token", "np" + "m_", 36),
  token("PyPI token", "pyp" + "i-AgEIcHlwaS5vcmc", 80),
  token("DigitalOcean token", "dop" + "_v1_", 64, "hex"),
  token("Shopify token", "shp" + "at_", 32, "hex"),
  token("Vault token", "hv" + "s.", 90),
  token("Databricks token", "da" + "pi", 32, "hex"),
  token("Grafana token", "gl" + "sa_", 32),
  token("Docker token", "dckr" + "_pat_", 27),
  token("Linear key", "lin" + "_api_", 40),
  token("SendGrid key", "S" + "G." + letters(22) + ".", 43),
  (() => {
    const signature = letters(43);
    const payload = base64url({ sub: letters(12), role: "admin" });
    const text = [base64url({ alg: "HS256", typ: "JWT" }), payload, signature].join(".");
    return { name: "JWT", text, parts: [payload, signature] };
  })(),
  (() => {
    const body = letters(64, "base64");
    const last = letters(40, "base64");
    const type = "RSA PRIVATE" + " KEY";
    return {
      name: "private key",
      text: `-----BEGIN ${type}-----\n${body}\n${last}\n-----END ${type}-----`,
      parts: [body, last],
    };
  })(),
  { name: "card", text: ["4242", "4242", "4242", "4242"].join(" "), parts: ["4242 4242 4242"] },
  { name: "card without spaces", text: "5555" + "5555" + "5555" + "4444", parts: ["555555554444"] },
  { name: "American Express card", text: "3782" + "822463" + "10005", parts: ["82246310005"] },
];

const free = (name, make, length = 14) => {
  const core = letters(length);
  return { name, text: make(core), parts: [core] };
};

// Secrets that the words before them give away.
export const sentences = () => [
  free("password after =", (s) => `login failed: password=${s}`),
  free("password after a colon", (s) => `Error: password:${s}`),
  free("environment variable", (s) => `export DB_PASSWORD='${s}'`),
  free("bearer", (s) => `Authorization: Bearer ${s}`, 30),
  free("lower-case bearer", (s) => `sent bearer ${s} and got 401`, 30),
  free("command line", (s) => `mysql --password=${s} -u root`),
  free("curl user", (s) => `curl -u ann:${s} https://a.test/`),
  free("cookie line", (s) => `Cookie: theme=dark; sessionid=${s}; lang=en`),
  free("set-cookie line", (s) => `Set-Cookie: sid=${s}; HttpOnly; Path=/`),
  free("API key", (s) => `x-api-key: ${s}`),
  free("client secret", (s) => `clientSecret='${s}'`),
  free("AWS secret", (s) => `aws_secret_access_key = ${s}`, 40),
  free("storage key", (s) => `DefaultEndpointsProtocol=https;AccountName=x;AccountKey=${s}==`, 86),
  free("JSON text", (s) => `{"user":"ann","password":"${s}"}`),
  free("JSON text within JSON text", (s) => JSON.stringify({ b: `{"access_token":"${s}"}` })),
  free("form body", (s) => `user=ann&password=${s}&remember=1`),
  free("percent-encoded key", (s) => `user=ann&pass%77ord=${s}`),
  free(
    "multipart body",
    (s) => `--b\r\nContent-Disposition: form-data; name="password"\r\n\r\n${s}\r\n--b--`,
  ),
  free("XML element", (s) => `<login><user>ann</user><password>${s}</password></login>`),
  free("HTML input", (s) => `<input type="password" name="password" value="${s}">`),
  free("YAML", (s) => `db:\n  user: ann\n  password: ${s}\n  port: 5432`),
  free("escaped key in JSON text", (s) => `{"user":"ann","\\u0070assword":"${s}"}`),
  free("name and value in JSON text", (s) => `[{"name":"password","value":"${s}"}]`),
  free("array after its key in JSON text", (s) => `["Authorization","Bearer ${s}"]`, 30),
  free("URL in JSON text", (s) => `{"next":"https://a.test/cb?access_token=${s}"}`),
  free("digest", (s) => `Authorization: Digest username="ann", realm="r", response="${s}"`, 32),
  free("proxy credentials", (s) => `proxy http://ann:${s}@proxy.test:3128 refused`),
  (() => {
    const pair = base64(`ann:${letters(16)}`);
    return { name: "basic", text: `authorization: Basic ${pair}`, parts: [pair.slice(0, 20)] };
  })(),
];

export const urls = () => [
  {
    name: "password with @ : /",
    text: "postgres://ann:p@ssZQ:w/rdZQ@db.test:5432/a",
    parts: ["p@ssZQ", "ssZQ", "w/rdZQ", "rdZQ"],
  },
  free("empty user", (s) => `redis://:${s}@c.test/0`),
  {
    name: "percent-encoded password",
    text: "sqlserver://sa:Wx%28%21%29Q7ZZ@h.test",
    parts: ["Wx%28", "Q7ZZ", "Wx("],
  },
  free("user and password", (s) => `https://ann:${s}@a.test/path`),
  free("OAuth code", (s) => `https://a.test/cb?code=${s}&state=z`),
  free("fragment token", (s) => `https://a.test/cb#access_token=${s}&token_type=b`),
  free("query token", (s) => `https://a.test/x?page=2&token=${s}`),
  free("query API key", (s) => `https://a.test/x?api_key=${s}&q=shoes`),
  free("query password", (s) => `https://a.test/login?user=ann&password=${s}`),
  free("query session", (s) => `https://a.test/x;jsessionid=${s}?a=1`),
  free(
    "encoded URL in a query",
    (s) => `https://a.test/go?to=${encodeURIComponent(`https://b.test/cb?access_token=${s}`)}`,
  ),
  free("token in a fragment route", (s) => `https://a.test/#/reset?token=${s}&step=2`),
  free("upper-case key", (s) => `https://a.test/x?ACCESS_TOKEN=${s}`),
  free("signed URL", (s) => `https://b.test/o?X-Amz-Date=2026&X-Amz-Signature=${s}`, 64),
  free("shared access signature", (s) => `https://b.test/o?sv=2026-01-01&sig=${s}%3D`, 43),
];

const keyed_names = [
  "password",
  "passwd",
  "secret",
  "token",
  "accessToken",
  "refresh_token",
  "api_key",
  "apiKey",
  "authorization",
  "Authorization",
  "Proxy-Authorization",
  "cookie",
  "Set-Cookie",
  "X-Api-Key",
  "x-auth-token",
  "x-csrf-token",
  "client_secret",
  "private_key",
  "sessionId",
  "DB_PASSWORD",
];

// Values that only their key gives away.
export const keyed = () =>
  keyed_names.map((key) => {
    const core = letters(13);
    return { name: `value of ${key}`, key, value: core, parts: [core] };
  });

export const look_alikes = [
  "author_id=7 authority=eu tokenizer=bpe",
  "request 0d9c0e2a-1111-4111-8111-1111deadbeef done",
  "commit 3f786850e387550fdab836ed7e6dc881de23001b on main",
  "sha256 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  "at 2026-01-28T14:30:00.000Z took 1769610600123",
  "order 4012 8888 8888 1882 is not a card",
  "chunk /assets/index.4f3c2b1a.js loaded",
  "max_tokens: 4096, total_tokens=120",
  "the password field is required",
  "token limit exceeded",
  "bearer of bad news",
  "keyboard=qwertz monkey=chimp",
  "secretary: on holiday",
  "passwordless login is on",
  "session expired",
  "cookie banner shown",
  "version 1.28.3-rc.1+build.77",
  "https://a.test/path?page=2&sort=asc#section-3",
  "module sk-learn-like and ghp with hf_ alone",
  "phone 555-0100, room 4711",
];
