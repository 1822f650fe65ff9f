// How elements are called, and what stands in them.

const is_left_out = (element) =>
  element.getAttribute("aria-hidden") == "true" ||
  element.hidden ||
  /^(SCRIPT|STYLE|NOSCRIPT|TEMPLATE|HEAD)$/.test(element.tagName);

// What the head of its column says of a cell, where that may be a secret: away from its table nothing
// else would tell.
const telling_head_of = (cell) => {
  const head = cell.closest("table")?.rows[0]?.cells[cell.cellIndex];
  const text = head && head !== cell ? words(head.textContent) : "";
  return /pass|pwd|secret|token|key|credential|\bpin\b|code/i.test(text) && text.length < 40
    ? text
    : "";
};

const content_of = (node, deep = 0) => {
  if (node.nodeType == Node.TEXT_NODE) return node.data;
  if (node.nodeType != Node.ELEMENT_NODE || deep > 40 || is_left_out(node)) return "";
  if (deep) {
    const label = node.getAttribute("aria-label");
    if (label) return ` ${label} `;
    if (node.tagName == "IMG") return ` ${node.alt} `;
    if (/^(INPUT|SELECT|TEXTAREA)$/.test(node.tagName)) return " ";
  }
  let text = "";
  for (const child of children_of(node)) {
    text += content_of(child, deep + 1);
    if (text.length > 2000) break;
  }
  const head = node.tagName == "TD" && words(text) ? telling_head_of(node) : "";
  if (head) text = `${head}: ${words(text)}`;
  return /^(SPAN|B|I|EM|STRONG|A|CODE|SMALL|SUB|SUP|MARK|U|SLOT)$/.test(node.tagName)
    ? text
    : ` ${text} `;
};

const name_of = (element, role = role_of(element)) => {
  const ids = element.getAttribute("aria-labelledby");
  if (ids) {
    const root = element.getRootNode();
    const text = words(
      ids
        .split(/\s+/)
        .map((id) => root.getElementById?.(id))
        .map((each) => (each ? content_of(each) : ""))
        .join(" "),
    );
    if (text) return text;
  }
  const label = words(element.getAttribute("aria-label"));
  if (label) return label;
  const labels = [...(element.labels ?? [])].map((each) => words(content_of(each))).join(" ");
  if (labels) return labels;
  if (element.tagName == "INPUT" && /^(button|submit|reset)$/.test(element.type))
    return element.value || { submit: "Submit", reset: "Reset" }[element.type] || "";
  if (element.tagName == "IMG" || element.type == "image") return words(element.alt);
  if (element.tagName == "FIELDSET")
    return words(element.querySelector("legend")?.textContent);
  if (element.tagName == "TABLE") return words(element.caption?.textContent);
  if (named_by_content.test(role)) {
    const text = words(content_of(element));
    if (text) return text;
  }
  return words(element.getAttribute("title") || element.getAttribute("placeholder"));
};
