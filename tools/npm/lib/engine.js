// Finds the engine of this user: by GASOLINE_URL, else by the port file in its state directory. What
// listens there has to say that it is one.
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { http_call } from "./http_call.js";
import { own_user, read_own_file } from "./own_file.js";

const asks_again_ms = 1000;

const base_directory = (xdg, below_home) => {
  const { [xdg]: named, HOME } = process.env;
  return named || (HOME ? join(HOME, below_home) : tmpdir());
};

// What the user's configuration says of it; one that cannot be read says nothing.
const configured = () => {
  const { GASOLINE_CONFIG } = process.env;
  const usual = () => join(base_directory("XDG_CONFIG_HOME", ".config"), "gasoline/config.json");
  try {
    return JSON.parse(readFileSync(GASOLINE_CONFIG || usual(), "utf8")) ?? {};
  } catch {
    return {};
  }
};

const state_directory = ({ state_dir }) =>
  process.env.GASOLINE_STATE_DIR ||
  state_dir ||
  join(base_directory("XDG_STATE_HOME", ".local/state"), "gasoline");

// The origin and the query of GASOLINE_URL, which may carry a token.
const named_engine = (text) => {
  const { protocol, origin, searchParams } = new URL(text);
  return protocol == "http:"
    ? { origin, token: searchParams.get("token") ?? undefined }
    : undefined;
};

// Where an engine has said that it listens, without asking whether it still does.
const said_engine = () => {
  const { GASOLINE_URL, GASOLINE_HOST } = process.env;
  if (GASOLINE_URL) return named_engine(GASOLINE_URL);
  const settings = configured();
  const directory = state_directory(settings);
  const port = +/^(\d{1,5})\n?$/.exec(read_own_file(join(directory, "port")) ?? "")?.[1];
  if (!port || port > 65535) return undefined;
  const host = GASOLINE_HOST || settings.host || "127.0.0.1";
  const name = host == "localhost" ? "127.0.0.1" : host.replace(/^::1$/, "[::1]");
  const token_file = process.env.GASOLINE_TOKEN_FILE || join(directory, "token");
  return { origin: `http://${name}:${port}`, port, token_file };
};

export const may_run = () => {
  try {
    return !!said_engine();
  } catch {
    return false;
  }
};

// Whether only programs of this user, or root, listen at a port. Known on Linux alone.
const listens_as_own_user = (port) => {
  const owners = ["tcp", "tcp6"].flatMap((table) => {
    try {
      return readFileSync(`/proc/net/${table}`, "utf8")
        .split("\n")
        .map((line) => line.trim().split(/\s+/))
        .filter(([, at, , state]) => state == "0A" && parseInt(at.split(":")[1], 16) == port)
        .map((row) => +row[7]);
    } catch {
      return [];
    }
  });
  return owners.length > 0 && owners.every((user) => user == own_user || user == 0);
};

const token_for = ({ token, token_file, port }) => {
  if (token) return token;
  const is_safe = token_file && listens_as_own_user(port);
  return is_safe ? read_own_file(token_file)?.trim() : undefined;
};

export const post_to = ({ origin, token }, route, body) =>
  http_call(`${origin}${route}`, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      "Content-Length": Buffer.byteLength(body),
      ...(token && { Authorization: `Bearer ${token}` }),
    },
    body,
  });

const is_engine = (text) => {
  try {
    return JSON.parse(text)["service-name"] == "gasoline";
  } catch {
    return false;
  }
};

const ask = async () => {
  const said = said_engine();
  if (!said) return undefined;
  // As a page would ask: the answer is short.
  const headers = { Origin: "http://localhost" };
  const answer = await http_call(`${said.origin}/health`, { headers, timeout_ms: 1000 });
  if (answer?.status == 200 && is_engine(answer.text)) return { origin: said.origin };
  if (answer?.status != 401) return undefined;
  const token = token_for(said);
  const engine = { origin: said.origin, token };
  const taken = token && (await post_to(engine, "/logs", '{"entries":[]}'));
  return taken?.status == 200 ? engine : undefined;
};

let known;
let asked_at = -Infinity;

// Resolves to { origin, token }, or to nothing when no engine runs. The token is there only where the
// engine asks for one. Asks at most once a second; where no engine has ever run, it is one `open`.
export const find_engine = () => {
  const now = performance.now();
  if (known && now - asked_at < asks_again_ms) return known;
  asked_at = now;
  known = ask().catch(() => undefined);
  return known;
};
