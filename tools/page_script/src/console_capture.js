import { read_arguments } from "./format_message.js";
import { report_log } from "./log_entry.js";
import { watch_calls } from "./page_hooks.js";
import { shorten_stack, top_frame, whole_stack } from "./stack_text.js";

const levels = { trace: "debug", dir: "log", table: "log", assert: "error" };

const report_call = (level, args) => {
  const calls = shorten_stack(new Error().stack);
  const error = args.find((value) => value instanceof Error);
  const { message, args: shown } = read_arguments(args);
  report_log(level, "console", message, {
    args: args.length > 1 || args[0] instanceof Object ? shown : undefined,
    stack: whole_stack(error) || (level == "error" ? calls : undefined),
    ...top_frame(calls),
  });
};

// Reports what the page writes to its console, and lets the console show it as before.
export const capture_console = () => {
  for (const method of ["log", "info", "warn", "error", "debug", ...Object.keys(levels)]) {
    watch_calls(console, method, (args) => {
      if (method == "assert") {
        const [passed, ...rest] = args;
        if (passed) return;
        args = ["Assertion failed:", ...rest];
      }
      report_call(levels[method] ?? method, args);
    });
  }
};
