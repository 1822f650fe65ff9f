// What development servers tell their own client in the page: that the code does not compile, that
// it does again, and that parts of it were replaced.
//
//   build     event                                              next
//   unknown   nothing fails for a while after it is connected    fine, told quietly
//   any       errors                                             broken, each told once
//   broken    the same errors again                              broken
//   broken    compiled without errors                            fine, told
//   broken    an update, and no error for a while                fine, told
//   fine      compiled, updated                                  fine
import { report_log } from "./log_entry.js";
import { quietly } from "./page_hooks.js";
import { script_url } from "./transport.js";

const quiet_ms = 1500;
const errors_told = 5;
const text_chars = 4000;
const message_chars = 2e6;

// How the socket of a toolchain is known: by its subprotocol, its address and the code that opens it,
// one a line; else by what it carries.
const tools = [
  ["vite", /^vite-|\/_nuxt\/$|\/@?vite\//m, /$^/],
  ["next", /\/_next\/(webpack-)?hmr/, /$^/],
  ["rsbuild", /\/rsbuild-hmr|@rsbuild\//, /$^/],
  ["angular", /\/ng-cli-ws/, /$^/],
  [
    "webpack",
    /\/__webpack_hmr|\/sockjs-node|webpack-dev-server/,
    /^(hot|liveReload|overlay|still-ok)"/,
  ],
  ["parcel", /$^/, /^(update","assets|error","diagnostics)"/],
  ["other", /\/livereload$|\/browser-sync\/|\/esbuild$/m, /$^/],
];

const known_urls = new Map();

// A client that tries again is known by the address of its first try.
const remember_tool = (url, tool) => {
  if (tool) known_urls.set(url, tool);
  return tool;
};

export const tool_of_socket = (url, protocols, stack) => {
  const signs = `${protocols}\n${url.replace(/[?#].*/, "")}\n${stack}`;
  return remember_tool(
    url,
    known_urls.get(url) ?? tools.find(([, where]) => where.test(signs))?.[0],
  );
};

export const tool_of_message = (url, data) => {
  const [, start] = /^\{"(?:type|action)":"(.{1,30})/.exec(data) ?? [];
  const tool = start && tools.find(([, , carried]) => carried.test(start))?.[0];
  return remember_tool(url, tool);
};

export let dev_server;
export let hot_updates = 0;
export let first_hot_update = Infinity;

const open_sockets = new Set();
let is_fine;
// Infinity: it is broken now.
let broken_until = -Infinity;
let told = "";
let hash;
let quiet_timer;

// The update that repairs it may first run what was broken.
export const is_build_broken = () => performance.now() < broken_until;

// A plugin in the development server tells of builds itself, and says so in the script's address.
const is_told_there = () => /\?builds/.test(script_url) || undefined;

export const is_dev_server_away = () => !!dev_server && !open_sockets.size;

export const note_socket_event = (tool, socket, type) => {
  dev_server = tool;
  if (type == "open") open_sockets.add(socket);
  if (type == "close") open_sockets.delete(socket);
};

const plain = (text) => `${text}`.replace(/\x1b\[[\d;]*m|^[^!-~]+(?=[A-Z])/gm, "").trim();

const first_text = (...texts) => texts.find((text) => text && typeof text != "object");

// "./src/cart.js 2:105", "/app/Cart.jsx:7:12", "Cart.jsx: Unexpected token (7:12)"
const place_in = (text) => {
  const [, file, line, column] =
    /([\w@./\\-]+\.\w{1,6})(?:[:\s]+|: .*\()(\d+):(\d+)/.exec(text) ?? [];
  return { file, line, column };
};

const is_place = /^(File: )?\S+\.\w{1,6}([:\s]+[\d:-]+)?$/;

const read_error = (error) => {
  const { loc, frame, codeframe } = error;
  const text = plain(first_text(error.message, error) ?? "");
  const lines = text.split("\n").filter((line) => line.trim());
  // Some begin with the place alone.
  if (lines.length > 1 && is_place.test(lines[0].trim())) lines.push(lines.shift());
  const [, line, column] = /^(\d+):(\d+)/.exec(loc) ?? [];
  const found = place_in(text);
  const start = error.source?.range?.start;
  return {
    // Where the first line only announces the reason, it stands in the second.
    message: lines.join("\n").replace(/:\n/, ": ").slice(0, text_chars) || "The code does not compile.",
    filename:
      first_text(loc?.file, error.id, error.filePath, error.moduleName)?.replace(/[?#].*/, "") ??
      found.file,
    lineno: +(loc?.line ?? line ?? start?.line ?? found.line) || undefined,
    colno: +(loc?.column ?? column ?? start?.column ?? found.column) || undefined,
    code_frame: plain(first_text(frame, codeframe) ?? "").slice(0, text_chars) || undefined,
    reported_by: /angular/.test(error.plugin) ? "angular" : dev_server,
  };
};

const tell_errors = (errors) => {
  clearTimeout(quiet_timer);
  is_fine = false;
  broken_until = Infinity;
  const read = errors.map(read_error);
  const key = read.map(({ message }) => message).join();
  if (key == told) return;
  told = key;
  for (const { message, ...more } of read.slice(0, errors_told))
    report_log("error", "exception", message, {
      build: "failed",
      build_errors: errors.length,
      echo: is_told_there(),
      ...more,
    });
};

const tell_fine = () => {
  clearTimeout(quiet_timer);
  if (is_fine) return;
  is_fine = true;
  const was_broken = broken_until == Infinity;
  if (was_broken) broken_until = performance.now() + quiet_ms;
  told = "";
  if (is_told_there()) return;
  report_log(
    was_broken ? "info" : "debug",
    "console",
    `${dev_server}: compiles${was_broken ? " again" : ""}`,
    { build: "ok", reported_by: dev_server },
  );
};

const tell_fine_when_quiet = () => {
  clearTimeout(quiet_timer);
  quiet_timer = setTimeout(quietly(tell_fine), quiet_ms);
};

const note_hot_update = () => {
  hot_updates++;
  first_hot_update = Math.min(first_hot_update, performance.now());
};

const is_severe = ({ severity }) => /error|fatal|bug/.test(severity);

// All errors that a message holds, whichever tool has written it.
const errors_in = ({ type, err, errors, data, diagnostics, errorJSON }) => {
  if (err) return [err];
  if (errorJSON) return [JSON.parse(errorJSON)];
  if (diagnostics) return diagnostics.ansi ?? [];
  if (errors) return errors;
  if (type == "errors") return [data?.text ?? data].flat();
  return [data]
    .flat()
    .flatMap((part) => part?.issues ?? [])
    .filter(is_severe)
    .map((issue) => ({
      ...issue,
      message: [issue.title, issue.description].map(text_of_issue).join("\n"),
    }));
};

const text_of_issue = (part) => (typeof part == "string" ? part : (part?.value ?? "")) + "";

const takes_effect =
  /^(update|full-reload|reload|content-changed|static-changed|finishBuilding|connected)$/;
const is_compiled = /^(ok|still-ok|warnings|built|sync)$/;

const read_message = (message) => {
  const { type = message.action } = message;
  const errors = errors_in({ ...message, type });
  if (errors.length) return tell_errors(errors);
  if (type == "hash" || message.hash) {
    const next = message.hash ?? message.data;
    if (hash && hash != next) note_hot_update();
    hash = next;
  }
  if (type == "update" || type == "partial") note_hot_update();
  if (is_compiled.test(type)) tell_fine();
  else if (takes_effect.test(type)) tell_fine_when_quiet();
};

// Reads what a development server has sent to its client.
export const read_dev_message = (data) => {
  if (typeof data != "string" || data[0] != "{" || data.length > message_chars) return;
  read_message(JSON.parse(data));
};

export const not_compiled = /Module (parse|build) failed|Cannot find module/;

const console_lines = /^\[(vite|webpack\S*|HMR|WDS|rsbuild)]/i;

// What a line means that the client of a development server writes to the console: it repeats what
// came over the socket.
export const marks_of_line = (text) => {
  const [, name] = console_lines.exec(text) ?? [];
  return name
    ? { reported_by: dev_server ?? name, echo: dev_server && true }
    : not_compiled.test(text) && is_build_broken() && { echo: true };
};
