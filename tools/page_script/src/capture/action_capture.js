import { listen, quietly, watch_calls } from "../page_hooks.js";
import { page_id } from "../page_life.js";
import { report } from "../transport.js";

const text_chars = 50;
const nodes_read = 50;
const siblings_counted = 50;
export const controls = "button,a,[role=button]";

const place_of = (element) => {
  let place = 1;
  while ((element = element.previousElementSibling) && place <= siblings_counted) place++;
  return place;
};

// A short CSS path: from the nearest id, or from the fourth element above.
const css_path = (element, steps = 4) => {
  const { localName, parentElement: parent } = element;
  const id = element.getAttribute("id");
  if (id) return `#${CSS.escape(id)}`;
  if (!parent || !steps) return localName;
  const place = place_of(element);
  const nth = place > siblings_counted ? "" : `:nth-child(${place})`;
  return `${css_path(parent, steps - 1)}>${localName}${nth}`;
};

// The beginning of a control's text, without asking the browser how it is laid out.
const text_of = (element) => {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let text = "";
  for (let i = nodes_read; i-- && text.length < text_chars && walker.nextNode(); )
    text = `${text}${walker.currentNode.data.slice(0, 4 * text_chars)}`
      .replace(/\s+/g, " ")
      .trimStart();
  return text.slice(0, text_chars) || undefined;
};

export const selectors_of = (element) => ({
  role: element.getAttribute("role"),
  testid: element.dataset?.testid,
  text: text_of(element.labels?.[0] ?? element.closest(controls) ?? new Text()),
  css: css_path(element),
});

export const report_action = (type, element, more) =>
  report("enhanced-actions", {
    type,
    timestamp: Date.now(),
    page_id,
    selectors: element && selectors_of(element),
    input_type: element?.type,
    ...more,
  });

const handlers = {
  click: (element) => report_action("click", element.closest(controls) ?? element),
  submit: (form) => report_action("submit", form),
  keydown: (element, key) => {
    if (/^(Enter|Escape|Tab)$/.test(key)) report_action("keypress", element, { key });
  },
  change: (element) => {
    const { type, options, selectedIndex: selected_index, value } = element;
    if (options) report_action("select", element, { selected_index });
    else report_action("input", element, type != "password" && { value_length: value.length });
  },
};

let from_url = location.href;

const report_navigation = () => {
  const to_url = location.href;
  if (to_url != from_url) report_action("navigate", undefined, { from_url, to_url });
  from_url = to_url;
};

// Reports what the user does, never what the user types.
export const capture_actions = () => {
  for (const type in handlers) {
    listen(window, type, (event) => handlers[type](event.composedPath()[0], event.key));
  }
  listen(window, "popstate hashchange", report_navigation);
  for (const method of ["pushState", "replaceState"]) {
    watch_calls(history, method, () => quietly(report_navigation));
  }
};
