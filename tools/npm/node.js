// node --import gasoline-telemetry/node server.js
import { randomBytes } from "node:crypto";
import { basename } from "node:path";
import { threadId } from "node:worker_threads";
import { watch_console } from "./lib/console_watch.js";
import { send_before_end } from "./lib/last_entries.js";
import { open_log_sender } from "./lib/log_sender.js";
import { is_error, stack_of, text_of, top_place } from "./lib/stack_text.js";

const { send, take_unsent } = open_log_sender();
const page_id = randomBytes(5).toString("hex");
const service = process.env.OTEL_SERVICE_NAME ?? basename(process.argv[1] ?? "node");

const error_ids = new WeakMap();
let errors = 0;

const id_of = (error) => {
  if (!is_error(error)) return undefined;
  if (!error_ids.has(error)) error_ids.set(error, `e${++errors}`);
  return error_ids.get(error);
};

const quietly = (action) => (...args) => {
  try {
    action(...args);
  } catch {
    // The program must not feel that somebody listens.
  }
};

const report = (message, error, more) =>
  send({
    level: "error",
    type: "exception",
    message,
    stack: stack_of(error),
    ...top_place(error),
    error_id: id_of(error),
    page_id,
    service,
    frame: threadId ? "worker" : undefined,
    ...more,
  });

// A rejection that nobody handles comes here as well, and so does what a module throws.
const report_uncaught = (error) => report(`Uncaught ${text_of(error)}`, error);

const report_rejection = (reason) => report(`Unhandled rejection: ${text_of(reason)}`, reason);

// Where somebody listens for unhandled rejections, or they are only warned of, nothing is thrown.
const watch_rejections = () => {
  const { emit } = process;
  const watched = quietly((name, reason) => {
    if (name == "unhandledRejection" && process.listenerCount(name)) report_rejection(reason);
    if (name == "warning" && reason?.name == "UnhandledPromiseRejectionWarning") report_warned(reason);
  });
  process.emit = new Proxy(emit, {
    apply: (target, self, args) => {
      if (self === process) watched(...args);
      return Reflect.apply(target, self, args);
    },
  });
};

const report_warned = (warning) => {
  // Node.js adds a line of advice.
  if (/^Unhandled promise rejection\./.test(warning.message)) return;
  report(`Unhandled rejection: ${warning.message.split("\n")[0]}`, warning);
};

const report_line = (args) => {
  const error = args.find(is_error);
  if (!error) return;
  const words = args.map((value) => (typeof value == "string" ? value : text_of(value)));
  report(words.join(" "), error, { reported_by: "console" });
};

process.on("uncaughtExceptionMonitor", quietly(report_uncaught));
process.on("exit", quietly(() => send_before_end(take_unsent())));
watch_rejections();
watch_console("error", report_line);
