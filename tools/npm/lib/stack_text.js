import { fileURLToPath } from "node:url";
import { inspect, types } from "node:util";

const frame_limit = 50;
const error_limit = 5;
const frame_place = /(?:\(|at |async )((?:file:\/\/)?(?:\/|[A-Za-z]:[\\/])[^()]*?):(\d+):(\d+)\)?$/;
const first_line_place = /^((?:file:\/\/)?(?:\/|[A-Za-z]:[\\/]).*):(\d+)$/;

export const is_error = (value) => types.isNativeError(value) || value instanceof Error;

const own_stack = (error) => {
  const stack = is_error(error) && error.stack;
  return typeof stack == "string" ? stack : undefined;
};

const shortened = (stack) => {
  const lines = stack.split("\n");
  const more = lines.length - frame_limit;
  if (more > 0) lines.splice(frame_limit, more, `… ${more} more frames`);
  return lines.join("\n");
};

// The stack of an error and of what caused it; nothing for what is no error.
export const stack_of = (error) => {
  const stacks = [];
  for (; own_stack(error) && stacks.length < error_limit; error = error.cause)
    stacks.push(shortened(own_stack(error)));
  return stacks.join("\nCaused by: ") || undefined;
};

// A value in one line of words: "TypeError: x is undefined", "{ code: 7 }".
export const text_of = (value) => {
  if (is_error(value)) return `${value.name}: ${value.message}`.replace(/: $/, "");
  return inspect(value, {
    depth: 1,
    maxArrayLength: 10,
    maxStringLength: 500,
    breakLength: Infinity,
    customInspect: false,
  });
};

const path_of = (file) => (file.startsWith("file://") ? fileURLToPath(file) : file);

const place = ([, file, line, column]) => {
  const filename = path_of(file);
  return {
    filename,
    lineno: +line,
    colno: +column || undefined,
    source: `${filename}:${line}`,
  };
};

// Where an error comes from: the first frame of the program's own code, else the first of any file.
export const top_place = (error) => {
  const lines = own_stack(error)?.split("\n") ?? [];
  // Of code that cannot be parsed, the place stands before everything.
  const unparsed = first_line_place.exec(lines[0] ?? "");
  if (unparsed) return place(unparsed);
  const frames = lines.map((line) => frame_place.exec(line)).filter(Boolean);
  const first = frames.find(([, file]) => !/[\\/]node_modules[\\/]/.test(file)) ?? frames[0];
  return first && place(first);
};
