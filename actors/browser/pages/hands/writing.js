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

// Whether the field takes that value, which it then has; else it keeps the one that it had.
const set_value = (element, text) => {
  const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value");
  const { value: before } = element;
  set.call(element, text);
  const is_taken = element.value == text;
  if (is_taken) tell_change(element);
  else set.call(element, before);
  return is_taken;
};

// Focuses and selects what is in it, for `text` in its place or, where that is null, for `typed` at
// its end. `done`: its value was set.
const focus_for = (n, text = null, typed = null) => {
  const element = known.get(n)?.deref();
  if (!element) return { problem: "gone" };
  element.focus({ preventScroll: true });
  if (text && element.type == "number" && !Number.isFinite(Number(text)))
    return { problem: "takes a number" };
  // A date is typed in parts, in the order of the user's language: a whole one is meant as it is.
  const value = text ?? typed;
  if (value !== null && value_forms[element.type]) {
    if (set_value(element, value)) return { done: true };
    if (text !== null) return { problem: `takes ${form_of(element)}` };
  }
  const is_field = /^(INPUT|TEXTAREA)$/.test(element.tagName);
  if (is_field) {
    element.select();
    if (text === null && /^(text|search|url|tel|password|textarea)$/.test(element.type))
      element.setSelectionRange(element.value.length, element.value.length);
  } else {
    getSelection().selectAllChildren(element);
    if (text === null) getSelection().collapseToEnd();
  }
  return { secret: element.type == "password" };
};

const missing_text = (text, labels) =>
  `has no option "${text}"; there are ${labels.slice(0, 12).map((label) => `"${cut(label, 40)}"`).join(", ")}`;

// The boxes of a group that have these names or values, as numbers.
const boxes_named = (group, wanted) => {
  const all = boxes_of(group);
  const boxes = wanted.map((text) => {
    const [named] = matching(all, (box) => name_of(box), text);
    return all.find((box) => box.value == text) ?? named;
  });
  const missing = wanted.find((_, i) => !boxes[i]);
  return missing === undefined
    ? { boxes: boxes.map(number_of) }
    : { problem: missing_text(missing, all.map((box) => name_of(box))) };
};

// Chooses options by value or label, as many as are given. None of them when one is not there. `custom`:
// the list is of the page's own making, and is opened by a click unless it is `open`.
const choose = (n, wanted) => {
  const element = known.get(n)?.deref();
  if (element && is_custom_list(element))
    return { custom: true, open: role_of(element) == "listbox" };
  if (element && boxes_of(element).length) return boxes_named(element, wanted);
  if (element?.tagName != "SELECT")
    return { problem: "has no list of options; click it and see what it shows" };
  const options = [...element.options];
  const chosen = wanted.map((text) =>
    options.find((option) => option.value == text) ??
    options.find((option) => words(option.label).toLowerCase() == words(text).toLowerCase()),
  );
  const missing = wanted.filter((_, i) => !chosen[i]);
  if (missing.length)
    return { problem: missing_text(missing[0], options.map((option) => words(option.label))) };
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
  const is_list = element && (is_custom_list(element) || boxes_of(element).length > 0);
  return { chosen: element?.tagName == "SELECT" || is_list };
};

const takes_files = (n) => {
  const element = known.get(n)?.deref();
  return { input: element?.tagName == "INPUT" && element.type == "file", many: element?.multiple };
};
