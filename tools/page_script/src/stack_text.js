import { script_url } from "./transport.js";
import { cut } from "./serialize.js";

const frame_limit = 50;
const error_limit = 5;

// The first frames of a stack without those of this script, and how many were left out.
export const shorten_stack = (stack) => {
  const frames = `${stack}`.split("\n").filter((frame) => !frame.includes(script_url));
  const more = frames.length - frame_limit;
  if (more > 0) frames.splice(frame_limit, more, `… ${more} more frames`);
  return cut(frames.join("\n"));
};

// The stack of an error and of what caused it.
export const whole_stack = (error) => {
  const stacks = [];
  for (; error?.stack && stacks.length < error_limit; error = error.cause) {
    stacks.push(shorten_stack(error.stack));
  }
  return stacks.join("\nCaused by: ");
};

// Where the topmost frame is. Chrome writes "at f (URL:1:2)", Firefox and Safari "f@URL:1:2".
export const top_frame = (stack) => {
  const place = /(?:at |\(|@)([^\s()]+:\/\/\S+?):(\d+):(\d+)\)?$/m.exec(stack);
  return place && { filename: place[1], lineno: +place[2], colno: +place[3] };
};
