// What the screen shows, and what of it is new.

// What is on the screen, a line for each block of text or control.
const visible_lines = () => {
  const lines = [];
  let line = "";
  const end_line = () => {
    const text = cut(words(line), 100);
    if (text) lines.push(text);
    line = "";
  };
  const walk = (node, deep) => {
    if (lines.length > 400 || deep > 200) return;
    if (node.nodeType == Node.TEXT_NODE) {
      line += node.data;
      return;
    }
    if (node.nodeType != Node.ELEMENT_NODE || is_left_out(node)) return;
    const box = node.getBoundingClientRect();
    const style = getComputedStyle(node);
    if (style.display == "none") return;
    const is_shown = box.width > 0 && box.height > 0;
    if (is_shown && (box.bottom < 0 || box.top > innerHeight)) return;
    if (is_shown && style.visibility != "visible" && !node.childElementCount) return;
    const is_inline = style.display.startsWith("inline") || style.display == "contents";
    const is_block = !is_inline || node.tagName == "BUTTON";
    if (is_block) end_line();
    if (node.tagName == "TR" && !node.querySelector("input,select,textarea")) {
      line = [...node.cells].map((cell) => words(content_of(cell))).join(" | ");
      end_line();
      return;
    }
    if (/^(INPUT|SELECT|TEXTAREA)$/.test(node.tagName)) {
      end_line();
      line = `${described(node)} ${state_of(node).replace("focused", "")}`;
      end_line();
      return;
    }
    for (const child of children_of(node)) walk(child, deep + 1);
    if (is_block) end_line();
  };
  if (document.body) walk(document.body, 0);
  end_line();
  return lines;
};

let seen = [];

// Fields that the browser has refused since then: it shows why next to them, in no element of the page.
let invalid = [];
const most_invalid = 20;
const note_invalid = ({ target }) => invalid.length < most_invalid && invalid.push(target);
addEventListener("invalid", note_invalid, true);

const take_invalid = () => {
  const told = invalid
    .filter((each) => each.isConnected && each.validationMessage)
    .map((each) => `${described(each)}: ${each.validationMessage}`);
  invalid = [];
  return [...new Set(told)].slice(0, 4);
};

const see = () => {
  seen = visible_lines();
  invalid = [];
};

// What the screen shows that it did not before the last action, and what is gone.
const changes = () => {
  const now = visible_lines();
  const before = new Set(seen);
  const after = new Set(now);
  const added = now.filter((line) => !before.has(line));
  const removed = seen.filter((line) => !after.has(line));
  const moved = added.length || removed.length ? -1 : now.findIndex((line, i) => line != seen[i]);
  if (moved >= 0) added.push(`order: ${now.slice(moved, moved + 6).join("; ")}`);
  return {
    added: added.slice(0, 4),
    more: Math.max(0, added.length - 4),
    removed: removed.slice(0, 2),
    invalid: take_invalid(),
  };
};

const look = () => {
  see();
};
