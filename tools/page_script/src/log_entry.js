import { cut } from "./serialize.js";
import { report } from "./transport.js";

export const report_log = (level, type, message, more) =>
  report("logs", {
    level,
    type,
    message: cut(message),
    source: more.filename && `${more.filename}:${more.lineno}`,
    ...more,
  });
