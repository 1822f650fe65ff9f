// The text of a page as Markdown.

// The text of an element, or of the page, as Markdown.
const read = (n, most) => {
  const root = n ? known.get(n)?.deref() : document.body;
  if (!root?.isConnected) return { text: "" };
  let text = "";
  const line = (more = 1) => {
    text = text.replace(/[ \t]+$/, "");
    if (text) text += "\n".repeat(Math.max(0, more - (text.match(/\n*$/)[0].length)));
  };
  const walk = (node) => {
    if (text.length > most) return;
    if (node.nodeType == Node.TEXT_NODE) {
      const pre = node.parentElement?.closest("pre");
      text += pre ? node.data : node.data.replace(/\s+/g, " ");
      return;
    }
    if (node.nodeType != Node.ELEMENT_NODE || is_left_out(node)) return;
    const style = getComputedStyle(node);
    if (style.display == "none" || style.visibility == "hidden") return;
    const tag = node.tagName;
    const within = () => {
      for (const child of children_of(node)) walk(child);
    };
    if (/^H[1-6]$/.test(tag)) {
      line(2);
      text += "#".repeat(Number(tag[1])) + " ";
      within();
      return line(2);
    }
    if (tag == "BR") return line();
    if (tag == "LI") {
      line();
      text += "- ";
      within();
      return line();
    }
    if (tag == "TR") {
      line();
      text += [...node.cells].map((cell) => words(content_of(cell))).join(" | ");
      return line();
    }
    if (tag == "PRE") {
      line();
      text += "```\n";
      within();
      line();
      text += "```";
      return line();
    }
    if (tag == "A" && node.href && words(node.textContent)) {
      text += `[${words(content_of(node))}](${node.getAttribute("href")})`;
      return;
    }
    if (tag == "IMG") {
      if (node.alt) text += `![${words(node.alt)}]`;
      return;
    }
    if (/^(INPUT|SELECT|TEXTAREA)$/.test(tag)) {
      if (node.type != "hidden") text += ` ${described(node)} ${state_of(node)} `;
      return;
    }
    const is_block = !style.display.startsWith("inline") && style.display != "contents";
    if (is_block) line(tag == "P" ? 2 : 1);
    within();
    if (is_block) line(tag == "P" ? 2 : 1);
  };
  walk(root);
  return { text: text.trim() };
};
