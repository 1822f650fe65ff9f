// The tree as it is shown: through shadow roots, closed ones as well, and slots.

// Closed shadow roots, which scripts are not shown; the browser has handed them in.
const closed = new WeakMap();

const asked_about = new WeakSet();
const root_of = (element) => element.shadowRoot ?? closed.get(element);

// The tree as it is shown: shadow roots in place of what they hide, slots with what fills them.
const children_of = (node) => {
  if (node.localName == "slot") {
    const filled = node.assignedNodes();
    if (filled.length) return filled;
  }
  return (root_of(node) ?? node).childNodes;
};

const parent_of = (node) =>
  node.assignedSlot ?? node.parentElement ?? node.getRootNode().host ?? null;

const ancestors = function* (element) {
  for (let each = element; each; each = parent_of(each)) yield each;
};

// Every element, those of shadow roots too.
const everything = function* (root = document) {
  for (const element of root.querySelectorAll("*")) {
    yield element;
    const inner = root_of(element);
    if (inner) yield* everything(inner);
  }
};

const may_have_root =
  /^(article|aside|blockquote|body|div|footer|h[1-6]|header|main|nav|p|section|span)$/;

const asked_at_once = 40;

// Elements that may have a closed shadow root and were not asked about: those of the page's own
// making, and those that are seen though nothing is in them.
const new_hosts = () => {
  const out = [];
  for (const element of everything()) {
    if (asked_about.has(element) || root_of(element)) continue;
    const name = element.localName;
    const is_own = name.includes("-");
    if (is_own ? !element.matches(":defined") : !may_have_root.test(name) || element.firstElementChild)
      continue;
    if (!is_own && (words(element.textContent) || !element.offsetHeight)) continue;
    asked_about.add(element);
    out.push(element);
    if (out.length == asked_at_once) break;
  }
  return out;
};

// Called on an element with its closed shadow root.
const take_root = function (root) {
  closed.set(this, root);
};
