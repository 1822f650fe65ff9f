import { cut } from "./serialize.js";
import { report } from "./transport.js";

export const report_log = (level, type, message, more) =>
  report("logs", {
    level,
    type,
    message: cut(message),
    // A warning or an error in a module that a bundler evaluates, which has a name of its own: the
    // scripts that may hold the module.
    ...(/[rn]webpack-i/.test(level + more.filename) && {
      scripts: performance
        .getEntriesByType("resource")
        .map(({ name }) => name)
        .filter((name) => /\.js\b/.test(name)),
    }),
    ...more,
  });
