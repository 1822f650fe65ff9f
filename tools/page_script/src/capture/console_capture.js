import { marks_of_line } from "../dev_server.js";
import { marks_of_error } from "../error_marks.js";
import { read_arguments } from "../format_message.js";
import { read_framework_report } from "../framework_reports.js";
import { report_log } from "../log_entry.js";
import { watch_calls } from "../page_hooks.js";
import { is_error } from "../serialize.js";
import { call_stack, stack_of, top_frame, whole_stack } from "../stack_text.js";

const levels = { ["trace"]: "debug", dir: "log", table: "log", assert: "error" };

// The error that a call is about: one with a stack, or what Angular shows of any.
const error_in = (args, framework) =>
  args.find((value) => is_error(value) && stack_of(value)) ??
  (framework?.reported_by == "angular" ? args[1] : undefined);

const report_call = (level, args) => {
  const is_severe = level == "error";
  const { message, args: shown } = read_arguments(args);
  const framework = read_framework_report(level, args, message);
  const error = error_in(args, framework);
  const calls = call_stack(is_severe);
  const is_exception = is_severe && error;
  report_log(level, is_exception ? "exception" : "console", message, {
    args: args.length > 1 || args[0] instanceof Object ? shown : undefined,
    stack: whole_stack(error) || (is_severe ? calls : undefined),
    ...(is_exception && { reported_by: "console", ...marks_of_error(error) }),
    ...framework,
    ...(is_severe && marks_of_line(message)),
    ...(top_frame(is_exception && stack_of(error)) ?? top_frame(calls)),
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
