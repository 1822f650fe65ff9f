// Secrets that only what stands around them gives away, by kind. They are made anew at each call, so
// that each place of a test has its own.
import { randomInt } from "node:crypto";

const letters = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const any = (length, set) => Array.from({ length }, () => set[randomInt(set.length)]).join("");

// Letters of both cases and a digit, as passwords have.
const password = () => `${any(5, letters.slice(0, 24))}${any(1, "23456789")}${any(6, letters.slice(24))}`;
const token = (length = 32) => `${any(3, letters)}${any(1, "23456789")}${any(length - 4, letters + "23456789")}`;
const hexadecimal = (length) => any(length, "0123456789abcdef");
const base64 = (text) => Buffer.from(text).toString("base64");

// What the text is, for a value `p` of that making.
const kind = (make, text_of) => ({ make, text_of });

export const kinds = {
  CSV: kind(password, (p) => `id,email,password\n1,ann@b.test,${p}`),
  "Markdown table": kind(password, (p) => `| user | password |\n|------|----------|\n| ann | ${p} |`),
  "columns apart from rows": kind(password, (p) => `{"columns":["id","email","password"],"rows":[[1,"ann@b.test","${p}"]]}`),
  action: kind(token, (p) => `{"type":"auth/setAccessToken","payload":"${p}"}`),
  "JSON patch": kind(password, (p) => `[{"op":"replace","path":"/password","value":"${p}"}]`),
  fallback: kind(password, (p) => `const p = process.env.DB_PASS || '${p}'`),
  "signing call": kind(password, (p) => `jwt.sign(payload, '${p}', {expiresIn: 1})`),
  "basic call": kind(password, (p) => `'Basic ' + btoa('ann:${p}')`),
  command: kind(password, (p) => `curl --cert c.pem:${p} https://db.test/`),
  "statement of a server": kind(password, (p) => `ACL SETUSER ann on >${p} ~* +@all`),
  "line of pgpass": kind(password, (p) => `db.test:5432:app:ann:${p}`),
  "machine key": kind(() => hexadecimal(64), (p) => `<machineKey validationKey="${p}" />`),
  "secret of Kubernetes": kind(() => base64(token(18)), (p) => `apiVersion: v1\nkind: Secret\ndata:\n  conn: ${p}`),
  "token of a provider": kind(token, (p) => `charged with ek_live_${p}`),
  "short field names": kind(password, (p) => `uname=ann&psw=${p}`),
  "base64 of JSON": kind(() => base64(`{"email":"a@b.test","password":"${password()}"}`), (p) => `payload=${p}`),
  "key of an object": kind(token, (p) => `{"sessions":{"${p}":{"user":7}}}`),
  "address with a password": kind(password, (p) => `connecting to postgres://ann:${p}@db.test/app`),
  "sub-protocol": kind(() => Buffer.from(token(30)).toString("base64url"), (p) => `Sec-WebSocket-Protocol: base64url.bearer.authorization.k8s.io.${p}`),
  "part of a path": kind(token, (p) => `http://localhost:3000/#/auth/callback/access_token/${p}/expires/3600`),
  "set-up key": kind(
    () => Array.from({ length: 4 }, () => `${any(3, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")}${any(1, "234567")}`).join(" "),
    (p) => `Enter this setup key in your authenticator app: ${p}`,
  ),
  "percent-encoded document": kind(token, (p) => "http://localhost/?msg=" + encodeURIComponent(`<Credentials>\n<SecretAccessKey>${p}</SecretAccessKey>\n</Credentials>`)),
};

export const made_of = (name) => {
  const { make, text_of } = kinds[name];
  const value = make();
  return { text: text_of(value), value };
};
