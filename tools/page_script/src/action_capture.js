import { listen, quietly, watch_calls } from "./page_hooks.js";
import { report } from "./transport.js";

const text_chars = 50;
const controls = "button,a,[role=button]";

// A short CSS path: from the nearest id, or from the fourth element above.
const css_path = (element, steps = 4) => {
  const { id, localName, parentElement: parent } = element;
  if (id) return `#${CSS.escape(id)}`;
  if (!parent || !steps) return localName;
  const place = [...parent.children].indexOf(element) + 1;
  return `${css_path(parent, steps - 1)}>${localName}:nth-child(${place})`;
};

const selectors_of = (element) => ({
  css: css_path(element),
  text: element.matches(controls) ? element.innerText?.slice(0, text_chars) : undefined,
  role: element.role || undefined,
  testid: element.dataset.testid,
});

const report_action = (type, element, more) =>
  report("enhanced-actions", {
    type,
    timestamp: Date.now(),
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
