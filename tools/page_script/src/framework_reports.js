// Errors that a framework caught on the page's behalf and wrote to the console, in its own words.
import { is_error } from "./serialize.js";

const names_shown = 20;
const same_moment_ms = 100;

let vue_trace;
let vue_trace_at = -Infinity;

// "at Cart (…)", "at <Cart …>", "---> <Cart>" of each line
const names_in = (text) =>
  [...text.matchAll(/^\s*(?:at|-+>) <?([A-Z][\w$.]*)/gm)]
    .slice(0, names_shown)
    .map(([, name]) => name)
    .join(" < ") || undefined;

const read_react = (args, text) => {
  const [, component] = /The above error occurred in the <?([^\s>]+)>? component/.exec(text) ?? [];
  if (!component) return undefined;
  // Older versions have thrown the error into the window before.
  return {
    reported_by: "react",
    component: names_in(text) ?? component,
    echo: !args.some(is_error) || undefined,
  };
};

const read_vue_warning = (text) => {
  if (!/^\[Vue warn]: (Unhandled error|Error in)/.test(text)) return undefined;
  vue_trace = names_in(text);
  vue_trace_at = performance.now();
  // The error itself follows.
  return { reported_by: "vue", echo: true };
};

const read_vue_error = () =>
  performance.now() - vue_trace_at < same_moment_ms && { reported_by: "vue", component: vue_trace };

// Who reports what in a call of the console, and in which component, when it is a framework.
export const read_framework_report = (level, args, text) => {
  const [first] = args;
  if (level == "warn" || level == "error") {
    const report = read_vue_warning(text) ?? read_react(args, text);
    if (report) return report;
  }
  if (level != "error") return undefined;
  if (first === "ERROR" && args[1] instanceof Object) return { reported_by: "angular" };
  return (is_error(first) && read_vue_error()) || undefined;
};
