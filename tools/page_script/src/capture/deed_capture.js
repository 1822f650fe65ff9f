// What a user does, beyond what the page script has room to tell: what is done in the engine's own
// browser can be done again by a program.
import { listen } from "../page_hooks.js";
import { controls, report_action, selectors_of } from "./action_capture.js";

// Lists, boxes and files are chosen, and tell that at once by their change.
const is_typed_into = (element) =>
  element.isContentEditable ||
  (/^(INPUT|TEXTAREA)$/.test(element.tagName) && !/^(checkbox|radio|file)$/.test(element.type));

// Told as it begins, since what comes of it may come before the field is left.
let typed_into;

const report_typing = (element) => {
  if (!is_typed_into(element) || typed_into == element) return;
  const { type, value = element.textContent } = element;
  const told = type != "password" && { value_length: value.length };
  report_action("input", element, { ...told, typing: true });
  typed_into = element;
};

const named_keys = /^(Arrow|Page|Home|End|Delete|Backspace|F\d)/;
const told_already = /^(Enter|Escape|Tab)$/;

// Keys that do something, rather than write.
const report_key = (element, { key, ctrlKey, altKey, metaKey, repeat }) => {
  const held = `${ctrlKey ? "Control+" : ""}${altKey ? "Alt+" : ""}${metaKey ? "Meta+" : ""}`;
  // Both together write characters on some keyboards.
  const is_shortcut = held && !(ctrlKey && altKey) && !/^(Control|Alt|Meta|Shift)/.test(key);
  const does = is_shortcut || (named_keys.test(key) && !is_typed_into(element));
  if (does && !repeat && !told_already.test(key))
    report_action("keypress", element, { key: held + key });
};

const control_at = (element) => element.closest(controls) ?? element;

let dragged;

const handlers = {
  input: report_typing,
  change: () => (typed_into = undefined),
  click: (element) => {
    if (element != typed_into) typed_into = undefined;
  },
  keydown: report_key,
  dblclick: (element) => report_action("dblclick", control_at(element)),
  contextmenu: (element) => report_action("contextmenu", control_at(element)),
  dragstart: (element) => (dragged = element),
  drop: (element) => {
    if (dragged) report_action("drag", dragged, { to: selectors_of(element) });
    dragged = undefined;
  },
};

export const capture_deeds = () => {
  for (const type in handlers)
    listen(window, type, (event) => handlers[type](event.composedPath()[0], event));
};
