// Tells what a build tool finds wrong with the code, once, and when it compiles again.
//
//   errors of a build   those that the last build did not have are told
//   a build without     the end of all is told, if there were any
import { open_log_sender } from "./log_sender.js";

const errors_told = 5;

const plain = (text) => `${text ?? ""}`.replace(/\x1b\[[\d;]*m/g, "").trim();

const read_error = ({ message, code_frame, ...place }) => ({
  ...place,
  message: plain(message) || "The code does not compile.",
  code_frame: plain(code_frame) || undefined,
});

const key_of = ({ message, filename, lineno }) => JSON.stringify([message, filename, lineno]);

// `tool` is the name that users know it by; `origin()` the origin of the pages that it serves. An
// error is { message, filename, lineno, colno, code_frame }; all but the message may be absent.
export const open_build_reports = (tool, origin) => {
  const { send } = open_log_sender();
  let told = new Set();
  let page;

  const tell = (level, type, message, more) =>
    send({ level, type, message, url: page, reported_by: tool, ...more });

  const tell_error = ({ message, filename, lineno, ...more }, build_errors) =>
    tell("error", "exception", message, {
      build: "failed",
      build_errors,
      filename,
      lineno,
      source: filename && (lineno ? `${filename}:${lineno}` : filename),
      ...more,
    });

  const failed = (errors) => {
    const read = errors.map(read_error);
    if (!told.size) page = `${origin()}/`;
    const is_new = (error) => !told.has(key_of(error));
    for (const error of read.filter(is_new).slice(0, errors_told)) tell_error(error, read.length);
    told = new Set(read.map(key_of));
  };

  const passed = () => {
    if (!told.size) return;
    told.clear();
    tell("info", "console", `${tool}: compiles again`, { build: "ok" });
  };

  return { failed, passed };
};
