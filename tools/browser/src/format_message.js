import { to_words } from "./serialize.js";

// The text that a console shows for `args`, format specifiers (%s, %d, …) filled in.
export const format_message = ([first, ...rest]) => {
  let text = to_words(first);
  if (rest.length && typeof first == "string") {
    text = first.replace(/%[sdifoOc%]/g, (mark) => {
      if (mark == "%%") return "%";
      if (!rest.length) return mark;
      const words = to_words(rest.shift());
      return mark == "%c" ? "" : words;
    });
  }
  return [text, ...rest.map(to_words)].join(" ");
};
