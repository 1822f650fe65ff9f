// Finds the elements that somebody means.

const matching = (elements, text_of, wanted) => {
  const text = words(wanted).toLowerCase();
  const exact = [];
  const partly = [];
  for (const element of elements) {
    const own = text_of(element).toLowerCase();
    if (own == text) exact.push(element);
    else if (own.includes(text)) partly.push(element);
  }
  return exact.length ? exact : partly;
};

const by_role = (role, name) => {
  const found = [...everything()].filter((element) => role_of(element) == role);
  if (!name) return found;
  return matching(found, (element) => name_of(element, role), name);
};

// Text within a control means the control, a label means what it is for.
const meant = (element) => {
  for (const each of ancestors(element)) {
    if (acted_on.test(role_of(each))) return each;
    if (each.tagName == "LABEL" && each.control) return each.control;
  }
  return element;
};

const by_text = (wanted) => {
  const text = words(wanted).toLowerCase();
  const holders = [...everything()].filter(
    (element) =>
      !is_left_out(element) &&
      (element.textContent ?? "").length < 100000 &&
      words(root_of(element) ? content_of(element) : element.textContent)
        .toLowerCase()
        .includes(text),
  );
  const inner = holders.filter(
    (element) => !holders.some((other) => other != element && element.contains(other)),
  );
  const fields = [...everything()].filter(
    (element) =>
      /^(button|submit|reset)$/.test(element.type) &&
      element.tagName == "INPUT" &&
      words(element.value).toLowerCase().includes(text),
  );
  const found = matching([...inner, ...fields], (e) => words(e.textContent || e.value), wanted);
  return found.length ? [...new Set(found.map(meant))] : by_hint(wanted);
};

// Fields that show a text as long as nothing is in them.
const by_hint = (wanted) =>
  matching([...everything()].filter((element) => element.placeholder), (e) => words(e.placeholder), wanted);

// What a label is for: a field, else boxes that it heads together.
const by_label = (wanted) => {
  const all = [...everything()];
  const is_field = (element) =>
    /^(INPUT|SELECT|TEXTAREA)$/.test(element.tagName) ||
    role_of(element) == "textbox" ||
    is_custom_list(element);
  const name = (element) => name_of(element) || words(element.getAttribute("placeholder"));
  const fields = matching(all.filter(is_field), name, wanted);
  return fields.length ? fields : matching(all.filter((e) => boxes_of(e).length), name, wanted);
};

const by_css = (selector, root = document) => {
  const found = [...root.querySelectorAll(selector)];
  for (const element of root.querySelectorAll("*"))
    if (root_of(element)) found.push(...by_css(selector, root_of(element)));
  return found;
};

const by_testid = (id) =>
  ["data-testid", "data-test-id", "data-test"].flatMap((name) =>
    by_css(`[${name}="${CSS.escape(id)}"]`),
  );

const found_by = (how) => {
  if (how.n) {
    const element = known.get(how.n)?.deref();
    return element?.isConnected ? [element] : [];
  }
  if (how.css) return by_css(how.css);
  if (how.testid) return by_testid(how.testid);
  if (how.label) return by_label(how.label);
  if (how.role) return by_role(how.role, how.name);
  if (how.text || how.name) return by_text(how.text || how.name);
  return [];
};

const find = (how, most) => {
  let found;
  try {
    found = found_by(how);
  } catch (error) {
    const problem =
      error.name == "SyntaxError"
        ? "this is no CSS selector; text, or role and name, finds what is shown"
        : error.message;
    return { problem, count: 0, items: [] };
  }
  const seen = how.n ? found : found.filter(is_visible);
  const all = seen.length ? seen : found;
  return {
    count: all.length,
    hidden: !seen.length && found.length > 0,
    items: all.slice(0, most).map(item_of),
  };
};

// Those that are most like what was looked for and not found: of its role, with words in common.
const nearest = (how, most) => {
  const asked = words(how.name || how.text || how.label || "").toLowerCase().split(" ");
  const ranked = [...everything()]
    .filter((element) => acted_on.test(role_of(element)) && is_visible(element))
    .map((element) => {
      const name = name_of(element).toLowerCase();
      const common = asked.filter((word) => word && name.includes(word)).length;
      return { element, rank: 2 * common + (role_of(element) == how.role ? 1 : 0) };
    });
  ranked.sort((a, b) => b.rank - a.rank);
  return { items: ranked.slice(0, most).map(({ element }) => item_of(element)) };
};
