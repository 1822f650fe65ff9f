import { report_log } from "./log_entry.js";
import { listen } from "./page_hooks.js";
import { to_words } from "./serialize.js";
import { top_frame, whole_stack } from "./stack_text.js";
import { is_own, report } from "./transport.js";

const report_exception = (message, error, place) =>
  report_log("error", "exception", message, { stack: whole_stack(error), ...place });

const report_uncaught = ({ message, error, filename, lineno, colno }) => {
  const text = error instanceof Object && !error.stack ? `Uncaught ${to_words(error)}` : message;
  report_exception(text, error, { filename, lineno, colno });
};

const report_unloaded = ({ localName, currentSrc, src, href }) => {
  const url = currentSrc || src || href;
  if (is_own(url)) return;
  report("network-bodies", {
    url,
    method: "GET",
    status: performance.getEntriesByName(url).at(-1)?.responseStatus ?? 0,
    error: `<${localName}> failed to load`,
  });
};

// Reports uncaught errors, unhandled rejections and elements that fail to load.
export const capture_errors = () => {
  listen(window, "error", (event) =>
    event.target == window ? report_uncaught(event) : report_unloaded(event.target),
  );
  listen(window, "unhandledrejection", ({ reason }) =>
    report_exception(`Unhandled rejection: ${to_words(reason)}`, reason, top_frame(reason?.stack)),
  );
};
