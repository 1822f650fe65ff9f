// Fields: what is written, chosen and checked in them.

const typed_by_value = /^(date|time|month|week|datetime-local|color|range)$/;

const tell_change = (element) => {
  element.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
  element.dispatchEvent(new Event("change", { bubbles: true }));
};

// Focuses and selects what is in it. `done`: its value was set, for nobody types a date.
const focus_for = (n, text) => {
  const element = known.get(n)?.deref();
  if (!element) return { problem: "gone" };
  element.focus({ preventScroll: true });
  if (text !== undefined && typed_by_value.test(element.type)) {
    const own = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value");
    own.set.call(element, text);
    if (element.value != text && text)
      return { problem: `takes no such value for a ${element.type}`, value: element.value };
    tell_change(element);
    return { done: true };
  }
  const is_field = /^(INPUT|TEXTAREA)$/.test(element.tagName);
  if (is_field) {
    element.select();
    if (text === undefined && /^(text|search|url|tel|password|textarea)$/.test(element.type))
      element.setSelectionRange(element.value.length, element.value.length);
  } else {
    getSelection().selectAllChildren(element);
    if (text === undefined) getSelection().collapseToEnd();
  }
  return { secret: element.type == "password" };
};

// Chooses options by value or label, as many as are given. None of them when one is not there.
const choose = (n, wanted) => {
  const element = known.get(n)?.deref();
  if (element?.tagName != "SELECT") return { problem: "no list of options" };
  const options = [...element.options];
  const chosen = wanted.map((text) =>
    options.find((option) => option.value == text) ??
    options.find((option) => words(option.label).toLowerCase() == words(text).toLowerCase()),
  );
  const missing = wanted.filter((_, i) => !chosen[i]);
  if (missing.length) {
    const labels = options.slice(0, 12).map((option) => `"${cut(words(option.label), 40)}"`);
    return { problem: `has no option "${missing[0]}"; there are ${labels.join(", ")}` };
  }
  if (chosen.some((option) => option.disabled)) return { problem: "has that option disabled" };
  if (element.multiple) for (const option of options) option.selected = chosen.includes(option);
  else element.selectedIndex = chosen[0].index;
  tell_change(element);
  return { chosen: chosen.map((option) => words(option.label)) };
};

const is_checked = (n) => {
  const element = known.get(n)?.deref();
  if (!element) return { problem: "gone" };
  const is_box = /^(checkbox|radio|switch|menuitemcheckbox|menuitemradio)$/.test(role_of(element));
  if (!is_box) return { problem: "cannot be checked" };
  return { checked: element.checked ?? element.getAttribute("aria-checked") == "true" };
};

// What a field of a form is filled by: typing, choosing or checking.
const kind_of_field = (n) => {
  const element = known.get(n)?.deref();
  if (element?.tagName == "SELECT") return { kind: "select" };
  return { kind: /^(checkbox|radio|switch)$/.test(element && role_of(element)) ? "check" : "type" };
};

const takes_files = (n) => {
  const element = known.get(n)?.deref();
  return { input: element?.tagName == "INPUT" && element.type == "file", many: element?.multiple };
};
