// The outline of a page, with handles.

const outline = (n, most) => {
  const lines = [];
  let chars = 0;
  let left_out = 0;
  const add = (deep, text) => {
    const line = `${"  ".repeat(Math.min(deep, 12))}${text}`;
    if (chars + line.length > most) {
      left_out++;
      return;
    }
    chars += line.length + 1;
    lines.push(line);
  };
  const walk = (node, deep) => {
    if (node.nodeType == Node.TEXT_NODE) {
      const text = words(node.data);
      if (text) add(deep, `"${cut(text, 160)}"`);
      return;
    }
    if (node.nodeType != Node.ELEMENT_NODE || is_left_out(node)) return;
    if (getComputedStyle(node).display == "none") return;
    // What a label says is said by what it is for.
    if (node.tagName == "LABEL" && node.control && name_of(node.control) == words(content_of(node))) {
      for (const each of node.querySelectorAll("a,button,input,select,textarea,[role]"))
        walk(each, deep);
      return;
    }
    const role = role_of(node);
    if (acted_on.test(role) || role == "heading" || role == "img") {
      const state = state_of(node);
      const handle = role == "heading" || role == "img" ? "" : ` [\u0001${number_of(node)}]`;
      if (is_visible(node)) add(deep, `${described(node)}${handle}${state ? ` ${state}` : ""}`);
      if (role != "combobox" && role != "listbox" && !named_by_content.test(role)) return;
      if (!node.querySelector("a,button,input,select,textarea,[role]")) return;
      for (const child of node.children) walk(child, deep + 1);
      return;
    }
    const name = role && !named_by_content.test(role) ? name_of(node, role) : "";
    const is_shown = role && !/^(cell|listitem|list|row|columnheader)$/.test(role);
    if (role == "row" || role == "listitem") {
      // The cells of a row stay apart, so that it is seen which column each is of.
      const text = node.cells
        ? [...node.cells].map((cell) => words(content_of(cell))).join(" | ")
        : words(content_of(node));
      const controls = [...node.querySelectorAll("a,button,input,select,textarea")];
      if (controls.length && node.cells) {
        add(deep, `${role} "${cut(text, 160)}":`);
        for (const each of controls) walk(each, deep + 1);
        return;
      }
      if (!controls.length) {
        if (text) add(deep, `${role} "${cut(text, 160)}"`);
        return;
      }
      add(deep, `${role}:`);
      for (const child of children_of(node)) walk(child, deep + 1);
      return;
    }
    if (is_shown) add(deep, name ? `${role} "${cut(name)}":` : `${role}:`);
    for (const child of children_of(node)) walk(child, deep + (is_shown ? 1 : 0));
  };
  const root = n ? known.get(n)?.deref() : document.body;
  if (!root?.isConnected) return { problem: "gone" };
  walk(root, 0);
  return { lines, left_out };
};
