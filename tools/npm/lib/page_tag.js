// Puts the tag of the page script into the documents that a development server answers with.
import { find_engine, may_run } from "./engine.js";

const looked_at = 65536;
const before_tag = [/<head(?:\s[^>]*)?>/i, /<html(?:\s[^>]*)?>/i, /<!doctype[^>]*>/i];
const own_address = /^(::1$|(::ffff:)?127\.)/;

const tag_of = ({ origin, token }, options, nonce) => {
  const query = new URLSearchParams({ ...options, ...(token && { token }) });
  const mark = nonce ? ` nonce="${nonce}"` : "";
  const address = `${origin}/gasoline.js${query.size ? `?${query}` : ""}`;
  return `<script crossorigin${mark} src="${address.replace(/&/g, "&amp;")}"></script>`;
};

const place_in = (text) => {
  const start = text.slice(0, looked_at);
  for (const sign of before_tag) {
    const found = sign.exec(start);
    if (found) return found.index + found[0].length;
  }
  return undefined;
};

const with_tag = (chunk, make_tag) => {
  // Bytes stay what they are.
  const text = typeof chunk == "string" ? chunk : Buffer.from(chunk).toString("latin1");
  const place = place_in(text);
  if (place === undefined) return chunk;
  const out = text.slice(0, place) + make_tag(text) + text.slice(place);
  return typeof chunk == "string" ? out : Buffer.from(out, "latin1");
};

const lower_names = (headers) =>
  Array.isArray(headers) ? undefined : Object.entries(headers ?? {}).map(([k, v]) => [k.toLowerCase(), v]);

const changed_by_tag = new Set(["content-length", "etag", "last-modified"]);

const nonce_in = (policy, text) =>
  /'nonce-([\w+/=-]+)'/.exec(policy)?.[1] ?? /<script[^>]*\snonce="([\w+/=-]+)"/.exec(text)?.[1];

// Changes the answer's first bytes when they turn out to begin a document. `engine()` is asked then.
const tag_answer = (response, options, engine) => {
  const { write, end, writeHead } = response;
  let is_open = true;
  let answer_has_tag;
  let policy;

  const is_document = (headers) => {
    const value = (name) => headers.get(name) ?? response.getHeader(name);
    policy = value("content-security-policy");
    return /^text\/html\b/i.test(value("content-type")) && !value("content-encoding") && !!engine();
  };

  const prepare = (headers = new Map()) => {
    answer_has_tag ??= is_document(headers);
    if (answer_has_tag && !response.headersSent)
      for (const name of changed_by_tag) response.removeHeader(name);
  };

  response.writeHead = function (status, ...rest) {
    const headers = rest.at(-1);
    const rows = typeof headers == "object" ? lower_names(headers) : [];
    // Raw lists of headers are rare; such answers stay as they are.
    if (!rows) answer_has_tag = false;
    else prepare(new Map(rows));
    if (answer_has_tag && rows.length)
      rest[rest.length - 1] = Object.fromEntries(rows.filter(([name]) => !changed_by_tag.has(name)));
    return writeHead.call(this, status, ...rest);
  };

  const tagged = (chunk) => {
    if (!is_open || !chunk?.length || typeof chunk == "function") return chunk;
    is_open = false;
    prepare();
    if (!answer_has_tag) return chunk;
    return with_tag(chunk, (text) => tag_of(engine(), options, nonce_in(policy, text)));
  };

  response.write = function (chunk, ...rest) {
    return write.call(this, tagged(chunk), ...rest);
  };
  response.end = function (chunk, ...rest) {
    return end.call(this, tagged(chunk), ...rest);
  };
};

const asks_for_document = ({ method, headers }) => {
  if (method != "GET" && method != "POST") return false;
  const dest = headers["sec-fetch-dest"];
  return dest ? /^i?frame$|^document$/.test(dest) : /\btext\/html\b/.test(headers.accept);
};

// The engine is at this machine's loopback, which is another one for a page elsewhere.
const is_from_here = ({ socket }) => own_address.test(socket?.remoteAddress ?? "");

// A packed or unchanged answer has no place for the tag.
const ask_for_all_of_it = ({ headers }) => {
  for (const name of ["accept-encoding", "if-none-match", "if-modified-since"]) delete headers[name];
};

// `options` are said to the page script, in its address.
export const open_page_tags = (options) => {
  let origin;

  const note_origin = ({ headers, socket }) => {
    if (headers.host) origin = `${socket.encrypted ? "https" : "http"}://${headers.host}`;
  };

  const is_wanted = (request) =>
    asks_for_document(request) && is_from_here(request) && may_run();

  // For a chain of middleware.
  const middleware = (request, response, next) => {
    if (!is_wanted(request)) return next();
    note_origin(request);
    return find_engine().then((engine) => {
      if (engine) {
        ask_for_all_of_it(request);
        tag_answer(response, options, () => engine);
      }
      next();
    });
  };

  // For one who only sees requests go by: the engine is known before a page is rendered, or not.
  const watch = (request, response) => {
    if (!is_wanted(request)) return;
    note_origin(request);
    let engine;
    find_engine().then((found) => (engine = found));
    ask_for_all_of_it(request);
    tag_answer(response, options, () => engine);
  };

  return { middleware, watch, page_origin: () => origin };
};

