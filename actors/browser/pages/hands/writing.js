// Fields: what is written, chosen and checked in them.

// Fields whose value is set, for nobody types into them, and what they take.
const value_forms = {
  date: "a date such as 2026-02-03",
  time: "a time such as 10:30",
  month: "a month such as 2026-02",
  week: "a week such as 2026-W05",
  "datetime-local": "a date and time such as 2026-02-03T10:30",
  color: "a color such as #ff0000",
  range: "a number",
};

const form_of = ({ type, min, max }) =>
  type == "range" ? `a number from ${min || 0} to ${max || 100}` : value_forms[type];

const tell_change = (element) => {
  element.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
  element.dispatchEvent(new Event("change", { bubbles: true }));
};

// Focuses and selects what is in it. `done`: its value was set.
const focus_for = (n, text) => {
  const element = known.get(n)?.deref();
  if (!element) return { problem: "gone" };
  element.focus({ preventScroll: true });
  if (text && element.type == "number" && !Number.isFinite(Number(text)))
    return { problem: "takes a number" };
  if (text !== undefined && value_forms[element.type]) {
    const own = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value");
    own.set.call(element, text);
    if (element.value != text && text)
      return { problem: `takes ${form_of(element)}`, value: element.value };
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

// Chooses options by value or label, as many as are given. None of them when one is not there. `custom`:
// the list is of the page's own making, and is opened by a click unless it is `open`.
const choose = (n, wanted) => {
  const element = known.get(n)?.deref();
  if (element && is_custom_list(element))
    return { custom: true, open: role_of(element) == "listbox" };
  if (element?.tagName != "SELECT")
    return { problem: "has no list of options; click it and see what it shows" };
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

// Whether a field is filled by choosing: a combobox may as well be one that is typed into.
const is_chosen_from = (n) => {
  const element = known.get(n)?.deref();
  return { chosen: element?.tagName == "SELECT" || (element && is_custom_list(element)) };
};

const takes_files = (n) => {
  const element = known.get(n)?.deref();
  return { input: element?.tagName == "INPUT" && element.type == "file", many: element?.multiple };
};
