// What elements are: their roles.

const input_roles = {
  button: "button",
  submit: "button",
  reset: "button",
  image: "button",
  file: "button",
  checkbox: "checkbox",
  radio: "radio",
  range: "slider",
  number: "spinbutton",
  search: "searchbox",
  hidden: "",
};

const tag_roles = {
  BUTTON: "button",
  SUMMARY: "button",
  TEXTAREA: "textbox",
  OPTION: "option",
  H1: "heading",
  H2: "heading",
  H3: "heading",
  H4: "heading",
  H5: "heading",
  H6: "heading",
  IMG: "img",
  NAV: "navigation",
  MAIN: "main",
  FORM: "form",
  TABLE: "table",
  TR: "row",
  TD: "cell",
  TH: "columnheader",
  UL: "list",
  OL: "list",
  LI: "listitem",
  DIALOG: "dialog",
  ARTICLE: "article",
  HEADER: "banner",
  FOOTER: "contentinfo",
  ASIDE: "complementary",
  FIELDSET: "group",
  PROGRESS: "progressbar",
  METER: "meter",
  OUTPUT: "status",
  IFRAME: "iframe",
};

const named_by_content =
  /^(button|link|checkbox|radio|heading|option|cell|columnheader|rowheader|row|tab|menuitem\w*|switch|treeitem|tooltip|gridcell|listitem)$/;

const acted_on =
  /^(button|link|checkbox|radio|textbox|searchbox|combobox|listbox|slider|spinbutton|option|tab|menuitem\w*|switch|treeitem)$/;

const role_of = (element) => {
  const given = element.getAttribute("role")?.trim().split(/\s+/)[0];
  if (given) return given;
  switch (element.tagName) {
    case "A":
    case "AREA":
      return element.hasAttribute("href") ? "link" : "";
    case "INPUT":
      return input_roles[element.type] ?? "textbox";
    case "SELECT":
      return element.multiple || element.size > 1 ? "listbox" : "combobox";
    case "SECTION":
      return element.hasAttribute("aria-label") ? "region" : "";
  }
  const is_edited =
    element.isContentEditable && !parent_of(element)?.isContentEditable;
  return is_edited ? "textbox" : tag_roles[element.tagName] ?? "";
};
