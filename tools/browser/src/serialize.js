// Turns any value of a page into bounded JSON. Size truncates, not depth.

const text_limit = 10240;
// The engine's parser refuses deeper documents; what nests further travels as JSON text.
const depth_limit = 64;
// Bounds the time that one value takes: shared parts are written each time they are met, which may
// be without end. Past it, the mark says "over" the size of what was met so far.
const part_limit = 5e4;

export const cut = (text, over = "") => {
  if (text.length <= text_limit) return text;
  return `${text.slice(0, text_limit)}…[truncated, ${over}${new Blob([text]).size} bytes]`;
};

const attempt = (action) => {
  try {
    return action();
  } catch (error) {
    return `[Threw: ${error?.message}]`;
  }
};

const object_parts = (object) => {
  const names = Object.keys(object);
  if (object instanceof Error) names.push("name", "message", "stack");
  return Object.fromEntries(names.map((name) => [name, attempt(() => object[name])]));
};

// What JSON can hold of a value: the value itself, a text, or a shallow copy.
const simplify = (value) => {
  const type = typeof value;
  if (type == "function") return `[Function ${value.name}]`;
  if (type == "bigint") return value + "n";
  if (type == "symbol" || type == "undefined" || value !== value) return String(value);
  if (type != "object" || !value) return value;
  if (value.nodeType) return `<${value.nodeName.toLowerCase()}${value.id && "#" + value.id}>`;
  const tag = {}.toString.call(value).slice(8, -1);
  if (/^(Array|Map|Set)$/.test(tag)) return [...value];
  if (/^(Object|Error|DOMException)$/.test(tag)) return object_parts(value);
  return tag == "RegExp" ? String(value) : `[${tag}]`;
};

// The JSON text of a value, how deep it nests, and how to call its size. Dates and URLs have become
// text before the replacer sees them.
const to_json = (value) => {
  const copies = [];
  const originals = [];
  let parts = 0;
  let depth = 0;
  const text = JSON.stringify(value, function (name, item) {
    const level = copies.indexOf(this) + 1;
    copies.length = originals.length = level;
    if (originals.includes(item)) return "[Circular]";
    const simple = parts++ > part_limit ? 0 : attempt(() => simplify(item));
    if (simple instanceof Object) {
      depth = Math.max(depth, copies.push(simple));
      originals.push(item);
    }
    return simple;
  });
  return [text, depth, parts > part_limit ? "over " : ""];
};

// A console argument for the wire: whole when small, else the start of its text with its size.
export const to_argument = (value) =>
  attempt(() => {
    if (typeof value == "string") return cut(value);
    const [text, depth, over] = to_json(value);
    return text.length > text_limit || depth > depth_limit ? cut(text, over) : JSON.parse(text);
  });

// A value as a person reads it in a message.
export const to_words = (value) => {
  const words = value instanceof Error ? attempt(() => `${value}`) : to_argument(value);
  return typeof words == "string" ? words : JSON.stringify(words);
};
