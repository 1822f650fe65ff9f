// Texts for the built-ins of the platform that keep what matters in accessors.
import { describe_node } from "./node_text.js";
import { request_behind } from "./known_requests.js";

const entries_limit = 100;
const words_chars = 500;
const secret_names = /auth|cookie|token|secret|passw|key|session|sign/i;
const show_entry = (tag, value) => {
  if (typeof value != "string") return value;
  return tag == "FormData" ? `[${value.length} characters]` : value;
};

function* masked(tag, value) {
  let left = entries_limit;
  for (const [name, part] of value.entries()) {
    if (!left--) return;
    yield [name, secret_names.test(name) ? "[REDACTED]" : show_entry(tag, part)];
  }
}

// The pairs that a list of names and values holds.
export const entries_of = (tag, value) =>
  /^(Headers|FormData|URLSearchParams)$/.test(tag) ? masked(tag, value) : undefined;

const bytes_of = (tag, { size, type }) => `[${tag} ${size} bytes${type && ` ${type}`}]`;

// What an event happened to.
const describe_target = (target) => {
  const url = target.currentSrc || target.src || target.href || target.url || target.responseURL;
  const name = target.nodeType ? describe_node(target) : {}.toString.call(target).slice(8, -1);
  return typeof url == "string" && url ? `${name} ${url}` : name;
};

// What an event says beyond its type and target.
const event_details = {
  CloseEvent: ({ code, reason }) => `code ${code}${reason && `, ${reason}`}`,
  CustomEvent: ({ detail }, words) => detail != null && words(detail),
  ErrorEvent: ({ message, filename, lineno }) =>
    filename ? `${message} (${filename}:${lineno})` : message,
  MessageEvent: ({ data }, words) => words(data),
  ProgressEvent: ({ loaded, total }) => loaded && `${loaded} of ${total} bytes`,
  PromiseRejectionEvent: ({ reason }, words) => words(reason),
};

const describe_event = (tag, event, words) => {
  const details = event_details[tag]?.(event, words);
  const place = event.target ? ` on ${describe_target(event.target)}` : "";
  const text = `${event.type} event${place}`;
  return details ? `${text}: ${`${details}`.slice(0, words_chars)}` : text;
};

const rows = {
  Window: (tag) => `[${tag}]`,
  Blob: bytes_of,
  File: bytes_of,
  Response: (tag, response) => {
    const { method = "" } = request_behind(response) ?? {};
    return `Response ${response.status}${method && ` ${method}`} ${response.url || response.type}`;
  },
  Request: (tag, { method, url }) => `Request ${method} ${url}`,
  XMLHttpRequest: (tag, { status, responseURL }) =>
    `XMLHttpRequest ${status} ${responseURL}`.trim(),
};

// One event may hold another.
let nested = 0;

// The text of a built-in, empty when it says nothing. `words(value)` makes the text of a part.
export const describe_built_in = (tag, value, words) => {
  const inner = (part) => (nested < 3 ? words(part) : "…");
  nested++;
  try {
    if (/^(Number|String|Boolean|RegExp)$/.test(tag)) return `${value}`;
    if (rows[tag]) return rows[tag](tag, value, inner);
    if (tag.endsWith("Event")) return describe_event(tag, value, inner);
    if (tag.endsWith("Array") && ArrayBuffer.isView(value)) return `[${tag}(${value.length})]`;
    if (value.byteLength >= 0) return `[${tag}(${value.byteLength})]`;
    // As of media, positions, permissions and database requests.
    const { message = value.error?.message, code = "" } = value;
    return message ? `[${tag} ${code} ${message}]` : "";
  } finally {
    nested--;
  }
};
