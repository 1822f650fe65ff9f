import { script_url } from "./transport.js";
import { cut } from "./serialize.js";

const frame_limit = 50;
const error_limit = 5;
// Enough for the frames of this script and one of the page.
const short_limit = 10;

// The first frames of a stack without those of this script, and how many were left out.
export const shorten_stack = (stack) => {
  const frames = `${stack}`.split("\n").filter((frame) => !frame.includes(script_url));
  const more = frames.length - frame_limit;
  if (more > 0) frames.splice(frame_limit, more, `… ${more} more frames`);
  return cut(frames.join("\n"));
};

// What a member holds that may be an accessor of the page's own.
const read = (object, name) => {
  try {
    return object[name];
  } catch {
    return undefined;
  }
};

// The stack of an error, nothing where it has none or does not let go of it.
export const stack_of = (error) => {
  const stack = error && read(error, "stack");
  return typeof stack == "string" ? stack : undefined;
};

// The stack of an error and of what caused it.
export const whole_stack = (error) => {
  const stacks = [];
  for (; stack_of(error) && stacks.length < error_limit; error = read(error, "cause")) {
    stacks.push(shorten_stack(stack_of(error)));
  }
  return stacks.join("\nCaused by: ");
};

// Where this script was called from: all of it, or no more than the nearest frame needs.
export const call_stack = (whole) => {
  const { stackTraceLimit } = Error;
  if (!whole && stackTraceLimit > short_limit) Error.stackTraceLimit = short_limit;
  const { stack } = new Error();
  if (!whole && stackTraceLimit > short_limit) Error.stackTraceLimit = stackTraceLimit;
  return shorten_stack(stack);
};

// Where the topmost frame is. Chrome writes "at f (URL:1:2)", Firefox and Safari "f@URL:1:2".
export const top_frame = (stack) => {
  const place = /(?:at |\(|@)([^\s()]+:\/\/\S+?):(\d+):(\d+)\)?$/m.exec(stack);
  return place && { filename: place[1], lineno: +place[2], colno: +place[3] };
};
