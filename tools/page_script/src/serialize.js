// Turns any value of a page into bounded JSON or text. The walk itself is bounded, not only what
// comes out of it:
//
//   state     event                                    next
//   walking   a part is written                        walking
//   walking   a part throws                            walking, with "[Threw: …]" in its place
//   walking   deeper than the engine's parser takes    walking, but the whole becomes a text
//   walking   more text than its limit                 stopped
//   walking   the call has used its time               stopped
//   walking   deeper than functions may nest           stopped
//   walking   all parts are written                    whole
//   stopped   (no part is looked at any more)          the text so far, with a mark that names the
//                                                      largest of the containers that were left
import { describe_node } from "./node_text.js";
import { describe_built_in, entries_of } from "./built_in_text.js";

const text_limit = 10240;
// Of one value, so that a message still has room for its mark and for a few words.
const value_limit = 1e4;
const depth_limit = 64;
const nesting_limit = 400;
// What all values of one call may take together.
const call_chars = 2 * text_limit;
const call_ms = 1.2;
// No part counts for more, so that a pause of the whole browser cuts nothing off.
const part_ms = 0.5;
// Elements of a list are seldom made when they are read: of so many, one looks at the clock.
const list_parts = 8;
// Holes of a list are looked at one by one.
const hole_limit = 1000;
// What has more parts is named in the mark.
const many_parts = 100;
// A browser can only list all names of an object at once, at 0.2 µs for each; those of a large one
// are remembered for a while.
const many_names = 1e4;
const names_kept = 2000;
const names_ms = 6e4;
const counted_chars = 2e5;
const thrown_chars = 200;

// Taken now: a page may put a clock of its own in its place.
const clock = performance.now.bind(performance);
const large_objects = new WeakMap();

// What one call may still use.
export const open_budget = () => ({ chars: call_chars, ms: call_ms, last: clock() });

const is_spent = (budget) => {
  const now = clock();
  budget.ms -= Math.min(now - budget.last, part_ms);
  budget.last = now;
  return budget.ms < 0;
};

const size_of = (text) =>
  text.length > counted_chars ? `more than ${text.length}` : new TextEncoder().encode(text).length;

export const cut = (text, limit = text_limit) =>
  text.length > limit ? `${text.slice(0, limit)}…[truncated, ${size_of(text)} bytes]` : text;

const thrown = (error) => {
  let text;
  try {
    text = `${error?.message}`.slice(0, thrown_chars);
  } catch {}
  return `[Threw: ${text}]`;
};

export const attempt = (action) => {
  try {
    return action();
  } catch (error) {
    return thrown(error);
  }
};

// Runs for each part, so it is no more than it has to be.
const read = (object, name) => {
  try {
    return object[name];
  } catch (error) {
    return thrown(error);
  }
};

const tag_of = (value) => ({}).toString.call(value).slice(8, -1);

// Errors of other frames count as well.
const is_tagged_error = (value, tag) =>
  value instanceof Error || tag == "Error" || tag == "DOMException";

export const is_error = (value) => {
  try {
    return is_tagged_error(value, tag_of(value));
  } catch {
    return false;
  }
};

const names_of = (object) => {
  const known = large_objects.get(object);
  if (known?.until > clock()) return known;
  const names = Object.keys(object);
  const { length: count } = names;
  if (count < many_names) return { names, count };
  const large = { names: names.slice(0, names_kept), count, until: clock() + names_ms };
  large_objects.set(object, large);
  return large;
};

function* elements_of(list, count) {
  let holes = 0;
  for (let i = 0; i < count; i++) {
    if (i in list) {
      if (holes) yield `[${holes} empty]`;
      holes = 0;
      yield read(list, i);
    } else if (++holes > hole_limit) {
      yield `[mostly empty list of ${count}]`;
      // Whatever made the list so long is at its end.
      if (count - 1 in list) yield list[count - 1];
      return;
    }
  }
  if (holes) yield `[${holes} empty]`;
}

const as_list = (list, count) => ({ list: elements_of(list, count), count });

const as_members = (object, ...hidden) => {
  const { names, count } = names_of(object);
  const more = hidden.filter((name) => name in object && !names.includes(name));
  return { object, names: names.concat(more), count };
};

// What JSON can hold of a value: the value itself, a text, or the way into it.
const simplify = (value, budget) => {
  const type = typeof value;
  if (type == "function") return `[Function ${value.name}]`;
  if (type == "bigint") return `${value}n`;
  if (type == "symbol" || type == "undefined" || value !== value) return String(value);
  if (type != "object" || !value) return value;
  if (Array.isArray(value)) return as_list(value, value.length);
  if (value.nodeType) return describe_node(value);
  const tag = tag_of(value);
  if (is_tagged_error(value, tag)) return as_members(value, "name", "message", "stack", "cause", "errors");
  if (tag == "Map" || tag == "Set") return { list: value, count: value.size };
  if (tag == "Date" && isNaN(value)) return "Invalid Date";
  if (typeof value.toJSON == "function") {
    const plain = value.toJSON("");
    return plain instanceof Object && plain != value && !plain.toJSON
      ? simplify(plain, budget)
      : typeof plain == "object"
        ? as_members(value)
        : plain;
  }
  if (tag == "Object") return as_members(value);
  if (/^(Arguments|NodeList|RadioNodeList|HTMLCollection)$/.test(tag))
    return as_list(value, value.length);
  const entries = entries_of(tag, value);
  if (entries) return { list: entries };
  const text = describe_built_in(tag, value, (part) => to_words(part, budget));
  if (text) return text;
  const members = as_members(value);
  return members.count ? members : `[${tag}]`;
};

// The text of a value, JSON as far as it goes, and whether it is whole.
const walk = (value, budget) => {
  const limit = Math.min(value_limit, budget.chars);
  const above = [];
  let text = "";
  let depth = 0;
  let stopped = false;
  let left = "";
  let left_count = many_parts;

  const leave = (kind, count) => {
    stopped = true;
    if (count > left_count) [left, left_count] = [`; ${kind} of ${count}`, count];
  };

  const write_text = (item) => {
    text += JSON.stringify(item.slice(0, limit));
    if (item.length > limit) leave("text", item.length);
  };

  // Writes what `write_part` does of each item. Gives whether all of them were written.
  const write_parts = (items, write_part, every) => {
    let comma = "";
    let parts = 0;
    for (const item of items) {
      text += comma;
      comma = ",";
      write_part(item);
      if (stopped || text.length > limit || (parts++ % every == 0 && is_spent(budget)))
        return false;
    }
    return true;
  };

  const write_list = ({ list, count }) => {
    text += "[";
    // Lists of a page may throw in the middle.
    const whole = attempt(() => write_parts(list, write, list_parts));
    if (typeof whole == "string") write_text(whole);
    if (!whole) leave("list", count);
    text += "]";
  };

  const write_members = ({ object, names, count }) => {
    text += "{";
    const write_member = (name) => {
      write_text(name);
      text += ":";
      write(read(object, name));
    };
    if (!write_parts(names, write_member, 1)) leave("object", count);
    text += "}";
  };

  const write = (item) => {
    if (typeof item == "string") return write_text(item);
    if (item === null || item === !!item || Number.isFinite(item)) {
      text += item;
      return;
    }
    const simple = above.includes(item) ? "[Circular]" : attempt(() => simplify(item, budget));
    if (typeof simple == "string") return write_text(simple);
    if (!(simple instanceof Object)) {
      text += JSON.stringify(simple);
      return;
    }
    above.push(item);
    depth = Math.max(depth, above.length);
    if (depth > nesting_limit) stopped = true;
    else if (simple.list) write_list(simple);
    else write_members(simple);
    above.pop();
  };

  write(value);
  const whole = !stopped && text.length <= limit;
  if (!whole) {
    text = text.slice(0, limit);
    text += `…[truncated, more than ${text.length} bytes${left}]`;
  }
  budget.chars = Math.max(0, budget.chars - text.length);
  return { text, is_json: whole && depth <= depth_limit };
};

// A value in two forms: `argument` for the wire, whole when it is small, else a text that begins
// like it; and `words` as a person reads it.
export const describe = (value, budget = open_budget()) => {
  if (typeof value == "string") {
    const words =
      value.length > text_limit
        ? cut(value, Math.min(value_limit, budget.chars))
        : cut(value, budget.chars);
    budget.chars -= Math.min(budget.chars, words.length);
    return { argument: words, words };
  }
  const { text, is_json } = walk(value, budget);
  const argument = is_json ? JSON.parse(text) : text;
  if (is_error(value)) return { argument, words: error_words(value) };
  return { argument, words: typeof argument == "string" ? argument : text };
};

export const to_argument = (value, budget) => describe(value, budget).argument;

const members_shown = 5;

// An error as its own text, with the errors that it stands for.
const error_words = (error) =>
  attempt(() => {
    const members = Array.isArray(error.errors) ? error.errors.slice(0, members_shown) : [];
    const texts = members.map((member) => (is_error(member) ? `${member}` : to_words(member)));
    return cut(texts.length ? `${error}: ${texts.join("; ")}` : `${error}`);
  });

export const to_words = (value, budget) =>
  is_error(value) ? error_words(value) : describe(value, budget).words;
