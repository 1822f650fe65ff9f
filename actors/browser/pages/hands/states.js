// What state elements are in, and how they are told in a few words.

const is_visible = (element) => {
  const box = element.getBoundingClientRect();
  if (element.tagName == "OPTION") return true;
  if (getComputedStyle(element).display == "contents")
    return [...children_of(element)].some((child) => child.tagName && is_visible(child));
  // What is in a closed <details> has a box, and is not drawn.
  const is_drawn = element.checkVisibility?.() !== false;
  return (
    is_drawn && box.width > 0 && box.height > 0 && getComputedStyle(element).visibility == "visible"
  );
};

const is_disabled = (element) => {
  if (element.matches(":disabled")) return true;
  for (const each of ancestors(element))
    if (each.getAttribute("aria-disabled") == "true") return true;
  return false;
};

// A list of options of the page's own making.
const is_custom_list = (element) =>
  !/^(INPUT|TEXTAREA|SELECT)$/.test(element.tagName) &&
  !element.isContentEditable &&
  (/^(combobox|listbox)$/.test(role_of(element)) ||
    element.getAttribute("aria-haspopup") == "listbox");

// Boxes that belong together under one name, such as the radio buttons of a fieldset.
const boxes_of = (element) =>
  /^(group|radiogroup)$/.test(role_of(element))
    ? [...everything(element)].filter((each) => /^(checkbox|radio|switch)$/.test(role_of(each)))
    : [];

const is_editable = (element) =>
  (element.isContentEditable ||
    is_custom_list(element) ||
    boxes_of(element).length > 0 ||
    (/^(INPUT|TEXTAREA|SELECT)$/.test(element.tagName) &&
      !/^(button|submit|reset|image|checkbox|radio|file)$/.test(element.type))) &&
  !element.readOnly &&
  element.getAttribute("aria-readonly") != "true";

// An element in a few words: what it is and what it says.
const described = (element) => {
  const role = role_of(element);
  const name = cut(name_of(element, role) || words(content_of(element)), 60);
  const id = element.id ? `#${element.id}` : "";
  const kind = role || element.localName + id;
  return name ? `${kind} "${name}"` : kind + (role ? id : "");
};

const state_of = (element) => {
  const out = [];
  const is_box = /^(checkbox|radio|switch)$/.test(role_of(element));
  const aria = (name) => element.getAttribute(`aria-${name}`);
  if (is_disabled(element)) out.push("disabled");
  if (is_box && (element.checked || aria("checked") == "true")) out.push("checked");
  if (aria("expanded")) out.push(aria("expanded") == "true" ? "expanded" : "collapsed");
  if (aria("pressed") == "true") out.push("pressed");
  if (aria("selected") == "true") out.push("selected");
  if (element.matches(":focus")) out.push("focused");
  if (element.required) out.push("required");
  if (aria("invalid") == "true") out.push("invalid");
  if (element.readOnly) out.push("readonly");
  if (/^H[1-6]$/.test(element.tagName)) out.push(`level ${element.tagName[1]}`);
  if (element.type == "password") out.push(element.value ? "filled" : "empty");
  else if (!is_box && /^(INPUT|TEXTAREA)$/.test(element.tagName) && element.value)
    if (!/^(button|submit|reset|file)$/.test(element.type))
      out.push(`value "${cut(words(element.value))}"`);
  const chosen = [...(element.selectedOptions ?? [])].map((each) => words(each.textContent)).join(", ");
  if (chosen) out.push(`value "${cut(chosen)}"`);
  const is_written = element.isContentEditable && role_of(element) == "textbox" && name_of(element);
  const written = is_written ? words(element.textContent) : "";
  if (written) out.push(`value "${cut(written)}"`);
  return out.join(" ");
};

// What stands around an element and tells it from its like: its row, else what it is labelled or
// headed by.
const context_of = (element) => {
  for (const each of ancestors(parent_of(element))) {
    if (/^(TR|LI|FIELDSET|DIALOG|ARTICLE|FORM)$/.test(each.tagName)) {
      const text = cut(words(content_of(each)), 60);
      if (text) return `in ${each.localName} "${text}"`;
    }
  }
  return "";
};

const item_of = (element) => {
  const role = role_of(element);
  return {
    n: number_of(element),
    role,
    name: cut(name_of(element, role), 200),
    shown: described(element),
    state: state_of(element),
    context: context_of(element),
  };
};
