import { marks_of_error } from "../error_marks.js";
import { is_build_broken, not_compiled } from "../dev_server.js";
import { cause_of } from "../failure_cause.js";
import { report_log } from "../log_entry.js";
import { listen } from "../page_hooks.js";
import { page_id } from "../page_life.js";
import { to_words } from "../serialize.js";
import { stack_of, top_frame, whole_stack } from "../stack_text.js";
import { is_own, report } from "../transport.js";

const build_wait_ms = 500;

// Waits for what a development server says of the code, which may be why something fails.
const tell_after_build = (tell) =>
  setTimeout(() => tell(is_build_broken() && { echo: true }), build_wait_ms);

export const report_exception = (message, error, place) =>
  report_log("error", "exception", message, {
    stack: whole_stack(error),
    ...marks_of_error(error),
    ...place,
  });

const is_told_whole = (error) => !(error instanceof Object) || (stack_of(error) && !error.errors);

const report_uncaught = ({ message, error, filename, lineno, colno }) => {
  const text = is_told_whole(error) ? message : `Uncaught ${to_words(error)}`;
  const tell = (echo) => report_exception(text, error, { filename, lineno, colno, ...echo });
  // The code that a bundler writes for a module that does not compile throws why.
  if (not_compiled.test(text)) tell_after_build(tell);
  else tell();
};

const report_rejection = ({ reason }) =>
  report_exception(`Unhandled rejection: ${to_words(reason)}`, reason, top_frame(stack_of(reason)));

// A server that answers everything with its page answers so for an image that is not there.
const page_types = /^text\/html\b/;

const report_unloaded = ({ localName, currentSrc, src, href }) => {
  const url = currentSrc || src || href;
  if (is_own(url)) return;
  // What the browser knows of the answer.
  const { responseStatus: status = 0, contentType } =
    performance.getEntriesByName(url, "resource").at(-1) ?? {};
  const got_page = status && status < 400 && page_types.test(contentType);
  const cause = status ? undefined : cause_of(url);
  const tell = (echo) =>
    report("network-bodies", {
      url,
      method: "GET",
      status,
      error: `<${localName}> failed to load${got_page ? `: answered with ${contentType}` : ""}`,
      answered_with: got_page ? contentType : undefined,
      initiator: localName,
      page_id,
      cause,
      ...echo,
    });
  if (localName == "script") tell_after_build(tell);
  else tell();
};

// Reports uncaught errors, unhandled rejections and elements that fail to load.
export const capture_errors = () => {
  listen(globalThis, "error", (event) =>
    event.target == globalThis ? report_uncaught(event) : report_unloaded(event.target),
  );
  listen(globalThis, "unhandledrejection", report_rejection);
};
