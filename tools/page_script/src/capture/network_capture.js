import { cause_of } from "../failure_cause.js";
import { read_graphql_errors } from "../graphql_answer.js";
import { remember_request, request_of } from "../known_requests.js";
import { listen, quietly, watch_calls } from "../page_hooks.js";
import { page_id } from "../page_life.js";
import { report_mixed_content } from "./security_capture.js";
import { to_words } from "../serialize.js";
import { is_own_origin, report } from "../transport.js";

const slow_ms = 2000;
const body_chars = 4096;
const body_wait_ms = 1000;
// How much of a GraphQL answer is read in search of errors.
const graphql_chars = 1e6;
const secret_urls = /auth(?!or)|login|signin|token|oauth|session|password|register/i;
const text_types = /json|text(?!\/event-stream)|xml|script/i;
const graphql_urls = /graphql|\bgql\b/i;

const trace_header = "traceparent";
const ends = ["load", "error", "abort", "timeout"];

let requests = 0;

// As W3C Trace Context writes it: sampled, so that the server's SDK tells its part.
const header_of = (trace) => `00-${trace}-${trace.slice(16)}-01`;

const begin = (target, method = "GET", initiator) => {
  const { href: url, origin } = new URL(target, globalThis.document?.baseURI ?? location);
  if (is_own_origin(origin)) return undefined;
  const begun = performance.now();
  // Other origins would be asked first whether they take the header, and might refuse.
  const trace = origin == location.origin && crypto.randomUUID?.().replace(/-/g, "");
  return { id: `r${++requests}`, url, method, initiator, begun, trace };
};

// What a request sends, should it fail: JSON alone, since forms hold what people typed.
const sent_body = (request, body) => {
  if (request && body?.trim && /^\s*[[{]/.test(body) && !secret_urls.test(request.url))
    request.body = body.slice(0, body_chars);
};

// The same of a Request, which cannot be read a second time.
const keep_copy = (request, input) => {
  const is_json = /json/.test(input.headers?.get("content-type"));
  if (is_json && !input.bodyUsed && !secret_urls.test(request.url)) request.copy = input.clone();
};

const report_request = async (request, status, more) => {
  const { id, url, method, initiator, begun, cause, trace, copy } = request;
  const has_failed = !status || status > 399;
  const duration = Math.round(performance.now() - begun);
  if (copy && has_failed) sent_body(request, await copy.text().catch(() => ""));
  report("network-bodies", {
    url,
    method,
    status,
    duration,
    page_id,
    request_id: id,
    initiator,
    cause,
    trace_id: trace || undefined,
    request_body: has_failed ? request.body : undefined,
    ...more,
  });
};

// What is shown of a body, or why it is left out.
const show_body = async (url, content_type, read) => {
  if (secret_urls.test(url)) return "[REDACTED: auth endpoint]";
  if (content_type && !text_types.test(content_type)) return `[Skipped: ${content_type}]`;
  return read(body_chars);
};

const body_members = (content_type, text) => ({
  content_type,
  response_body: text.slice(0, body_chars),
  response_truncated: text.length > body_chars || undefined,
});

// A GraphQL server says in an answer of 200 what has failed.
const report_graphql = async (request, status, content_type, read) => {
  const errors = read_graphql_errors(await read(graphql_chars));
  if (!errors) return;
  const text = await show_body(request.url, content_type, () => errors.text);
  report_request(request, status, { ...errors.members, ...body_members(content_type, text) });
};

const may_hold_errors = ({ url, method }, content_type) =>
  (method.toUpperCase() == "POST" && graphql_urls.test(url) && /json/.test(content_type)) ||
  /graphql/.test(content_type);

const report_bad_answer = async (request, status, content_type, read) => {
  const text = await show_body(request.url, content_type, read).catch(() => "");
  report_request(request, status, body_members(content_type, text));
};

// Most answers have nothing to tell: they cost no more than is seen here. Status 0 is an opaque one.
const report_answer = (request, status, content_type, read) => {
  if (!status) return;
  const is_bad = status > 399;
  const tell =
    !is_bad && may_hold_errors(request, content_type)
      ? report_graphql
      : (is_bad || performance.now() - request.begun >= slow_ms) && report_bad_answer;
  if (tell) tell(request, status, content_type, read).catch(() => {});
};

const report_failure = (request, error, is_aborted, text = to_words(error)) => {
  report_mixed_content(request.url);
  request.cause = cause_of(request.url, error, is_aborted);
  remember_request(error, request);
  report_request(request, 0, { error: request.cause == "aborted" ? "AbortError" : text });
};

// The start of a body, which the page still gets whole.
const read_start = async (response, chars) => {
  const reader = response.clone().body.pipeThrough(new TextDecoderStream()).getReader();
  const late = new Promise((resolve) => setTimeout(resolve, body_wait_ms));
  let text = "";
  let piece;
  do {
    piece = await Promise.race([reader.read(), late]);
    text += piece?.value ?? "";
  } while (piece?.value && text.length <= chars);
  reader.cancel();
  return text;
};

// The options of a fetch with its trace, which the page may have given itself.
const add_trace = (request, input, init) => {
  const headers = new Headers(init?.headers ?? input.headers);
  const given = headers.get(trace_header);
  if (given) request.trace = given.slice(3, 35);
  else headers.set(trace_header, header_of(request.trace));
  // What a class computes is not copied.
  return (init ?? {}).constructor == Object ? { ...init, headers } : init;
};

const capture_fetch = () =>
  watch_calls(globalThis, "fetch", (args) => {
    const [input, init] = args;
    const { method = input.method, signal = input.signal } = init ?? {};
    const request = begin(input.url ?? input, method, "fetch");
    sent_body(request, init?.body);
    if (request && !init?.body) keep_copy(request, input);
    if (request?.trace) args[1] = add_trace(request, input, init);
    const on_response = quietly((response) => {
      const { status, headers } = response;
      remember_request(response, request);
      const read = (chars) => read_start(response, chars);
      report_answer(request, status, headers.get("content-type"), read);
    });
    const on_failure = quietly((error) =>
      report_failure(request, error, signal?.aborted && error?.name != "TimeoutError"),
    );
    // A rejection passes through untouched: one that a script of another origin makes would be
    // hidden from the page's unhandledrejection event.
    const watch = (answer) => {
      answer.catch(on_failure);
      return answer.then((response) => {
        on_response(response);
        return response;
      });
    };
    return request && watch;
  });

const report_xhr = ({ type, target: xhr }) => {
  const request = request_of(xhr);
  if (!request) return;
  if (type != "load")
    return report_failure(request, xhr, type == "abort", `network ${type}`);
  // Words of an object end where their time does.
  const read = async (chars) =>
    chars == graphql_chars && xhr.responseType == "json" ? xhr.response : to_words(xhr.response);
  report_answer(request, xhr.status, xhr.getResponseHeader("content-type"), read);
};

const capture_xhr = () => {
  const { prototype } = globalThis.XMLHttpRequest ?? {};
  if (!prototype) return;
  // The same for all, since pages make many.
  const hear = quietly(report_xhr);
  const { setRequestHeader: set_header } = prototype;
  watch_calls(prototype, "open", ([method, url], xhr) => {
    // Early, so that an object which the page uses again in its own listeners is seen; a browser
    // keeps each once.
    for (const type of ends) xhr.addEventListener(type, hear, true);
    remember_request(xhr, begin(url, method, "xmlhttprequest"));
  });
  watch_calls(prototype, "setRequestHeader", ([name, value], xhr) => {
    if (/^traceparent$/i.test(name))
      Object.assign(request_of(xhr), { trace: value.slice(3, 35), is_traced: true });
  });
  watch_calls(prototype, "send", ([body], xhr) => {
    const request = request_of(xhr);
    sent_body(request, body);
    const { trace, is_traced } = request;
    if (trace && !is_traced) set_header.call(xhr, trace_header, header_of(trace));
  });
};

// Reports requests of fetch and XMLHttpRequest that fail, are slow, or come back with errors inside.
export const capture_requests = () => {
  capture_fetch();
  capture_xhr();
};
