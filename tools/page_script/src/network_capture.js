import { listen, quietly, watch_calls } from "./page_hooks.js";
import { report_mixed_content } from "./security_capture.js";
import { to_words } from "./serialize.js";
import { is_own, report } from "./transport.js";

const slow_ms = 2000;
const body_chars = 4096;
const body_wait_ms = 1000;
const secret_urls = /auth(?!or)|login|signin|token|oauth|session|password|register/i;
const text_types = /json|text(?!\/event-stream)|xml|script/i;

const begin = (target, method = "GET") => {
  const { href } = new URL(target, document.baseURI);
  return is_own(href) ? undefined : { url: href, method, start: performance.now() };
};

const report_request = ({ url, method, start }, status, more) => {
  const duration = Math.round(performance.now() - start);
  report("network-bodies", { url, method, status, duration, ...more });
};

// What is shown of a body, or why it is left out.
const show_body = async (url, content_type, read) => {
  if (secret_urls.test(url)) return "[REDACTED: auth endpoint]";
  if (content_type && !text_types.test(content_type)) return `[Skipped: ${content_type}]`;
  return read();
};

// Status 0 is an opaque answer.
const report_answer = async (request, status, content_type, read) => {
  if (!status || (status < 400 && performance.now() - request.start < slow_ms)) return;
  const text = await show_body(request.url, content_type, read).catch(() => "");
  report_request(request, status, {
    content_type,
    response_body: text.slice(0, body_chars),
    response_truncated: text.length > body_chars || undefined,
  });
};

const report_failure = (request, error) => {
  report_mixed_content(request.url);
  report_request(request, 0, { error });
};

// The start of a body, which the page still gets whole.
const read_start = async (response) => {
  const reader = response.clone().body.pipeThrough(new TextDecoderStream()).getReader();
  const late = new Promise((resolve) => setTimeout(resolve, body_wait_ms));
  let text = "";
  let piece;
  do {
    piece = await Promise.race([reader.read(), late]);
    text += piece?.value ?? "";
  } while (piece?.value && text.length <= body_chars);
  reader.cancel();
  return text;
};

const capture_fetch = () =>
  watch_calls(window, "fetch", ([input, init]) => {
    const { method = input.method, signal = input.signal } = init ?? {};
    const request = begin(input.url ?? input, method);
    const on_response = quietly((response) => {
      const { status, headers } = response;
      report_answer(request, status, headers.get("content-type"), () => read_start(response));
    });
    const on_failure = quietly((error) => {
      const name = error?.name;
      const aborted = name == "AbortError" || (signal?.aborted && name != "TimeoutError");
      report_failure(request, aborted ? "AbortError" : to_words(error));
    });
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

const capture_xhr = () => {
  const requests = new WeakMap();
  watch_calls(XMLHttpRequest.prototype, "open", ([method, url], xhr) => {
    // Once and early, so that an object which the page uses again in its own listeners is seen.
    if (!requests.has(xhr))
      listen(xhr, "load error abort timeout", ({ type }) => report_end(xhr, type));
    requests.set(xhr, begin(url, method));
  });
  const report_end = (xhr, type) => {
    const request = requests.get(xhr);
    if (!request) return;
    const content_type = xhr.getResponseHeader("content-type");
    if (type == "load")
      report_answer(request, xhr.status, content_type, () => to_words(xhr.response));
    else report_failure(request, type == "abort" ? "AbortError" : `network ${type}`);
  };
};

// Reports requests of fetch and XMLHttpRequest that fail or are slow.
export const capture_requests = () => {
  capture_fetch();
  capture_xhr();
};
