import { cut, describe, open_budget } from "./serialize.js";

const arguments_shown = 50;

// The text that a console shows for values whose words are `words`: format specifiers (%s, %d, …)
// of a first text filled in.
const fill_in = (first, words) => {
  let text = words[0];
  let next = 1;
  if (words.length > 1 && typeof first == "string") {
    text = text.replace(/%[sdifoOc%]/g, (mark) => {
      if (mark == "%%") return "%";
      if (next == words.length) return mark;
      return mark == "%c" ? (next++, "") : words[next++];
    });
  }
  return [text, ...words.slice(next)].join(" ");
};

// The arguments of a console call for the wire, and the text that the console shows for them.
export const read_arguments = (args) => {
  const budget = open_budget();
  const parts = args.slice(0, arguments_shown).map((value) => describe(value, budget));
  const more = args.length - parts.length;
  if (more > 0) parts.push(describe(`[… ${more} more arguments]`));
  if (!parts.length) parts.push(describe(undefined));
  return {
    args: parts.map(({ argument }) => argument),
    message: cut(
      fill_in(
        args[0],
        parts.map(({ words }) => words),
      ),
    ),
  };
};

export const format_message = (args) => read_arguments(args).message;
