// What an agent's hands do inside a page: finds elements, says what they are, and whether a person
// could act on them. Runs in a world of its own in each frame, so it sees the page's elements and
// none of its scripts. Its elements have numbers that are never used again within that world.
(() => {
  const known = new Map(); // number -> WeakRef of the element
  const numbers = new WeakMap();
  let last = 0;

  const number_of = (element) => {
    if (!numbers.has(element)) {
      numbers.set(element, ++last);
      known.set(last, new WeakRef(element));
    }
    return numbers.get(element);
  };

  const words = (text) => (text ?? "").replace(/\s+/g, " ").trim();
  const cut = (text, chars = 80) => (text.length > chars ? `${text.slice(0, chars - 1)}…` : text);

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

  const is_visible = (element) => {
    const box = element.getBoundingClientRect();
    if (element.tagName == "OPTION") return true;
    if (getComputedStyle(element).display == "contents")
      return [...children_of(element)].some((child) => child.tagName && is_visible(child));
    return box.width > 0 && box.height > 0 && getComputedStyle(element).visibility == "visible";
  };

  const is_disabled = (element) => {
    if (element.matches(":disabled")) return true;
    for (const each of ancestors(element))
      if (each.getAttribute("aria-disabled") == "true") return true;
    return false;
  };

  const is_editable = (element) =>
    (element.isContentEditable ||
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
    if (element.tagName == "SELECT" && element.selectedOptions[0])
      out.push(`value "${cut(words(element.selectedOptions[0].textContent))}"`);
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

  // Finding

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
    return [...new Set(found.map(meant))];
  };

  const by_label = (wanted) =>
    matching(
      [...everything()].filter((element) => /^(INPUT|SELECT|TEXTAREA)$/.test(element.tagName) || role_of(element) == "textbox" || role_of(element) == "combobox"),
      (element) => name_of(element) || words(element.getAttribute("placeholder")),
      wanted,
    );

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
      return { problem: error.message, count: 0, items: [] };
    }
    const seen = how.n ? found : found.filter(is_visible);
    const all = seen.length ? seen : found;
    return {
      count: all.length,
      hidden: !seen.length && found.length > 0,
      items: all.slice(0, most).map(item_of),
    };
  };

  // Acting

  // Pages in the background draw none; on a busy machine one may take long, and until it is drawn
  // nothing moves.
  const next_frame = () =>
    Promise.race([
      new Promise((resolve) => requestAnimationFrame(resolve)),
      new Promise((resolve) => setTimeout(resolve, document.hidden ? 40 : 1_000)),
    ]);
  const rest = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

  const at_point = (x, y) => {
    let element = document.elementFromPoint(x, y);
    while (element && root_of(element)) {
      const inner = root_of(element).elementFromPoint(x, y);
      if (!inner || inner == element) break;
      element = inner;
    }
    return element;
  };

  const is_hit = (hit, target) => {
    for (const each of ancestors(hit)) {
      if (each == target) return true;
      if (each.tagName == "LABEL" && each.control == target) return true;
    }
    return false;
  };

  // The parts of an element that can be seen, as points: the middle first.
  const points_of = (element) => {
    for (const box of element.getClientRects()) {
      const left = Math.max(0, box.left);
      const top = Math.max(0, box.top);
      const width = Math.min(innerWidth, box.right) - left;
      const height = Math.min(innerHeight, box.bottom) - top;
      if (width <= 0 || height <= 0 || width * height <= 0.99) continue;
      return [0.5, 0.2, 0.8].flatMap((down) =>
        [0.5, 0.2, 0.8].map((right) => ({ x: left + width * right, y: top + height * down })),
      );
    }
    return [];
  };

  const scroll_ways = [
    { block: "nearest", inline: "nearest" },
    { block: "center", inline: "center" },
    { block: "end", inline: "end" },
    { block: "start", inline: "start" },
  ];

  const is_still = async (element) => {
    const before = element.getBoundingClientRect();
    await next_frame();
    const after = element.getBoundingClientRect();
    return ["left", "top", "width", "height"].every((side) => before[side] == after[side]);
  };

  // What keeps a person from acting on it now; or the point to act at.
  const judge = async (element, wants, round) => {
    if (!element.isConnected) return { problem: "gone" };
    if (!wants.unseen && !is_visible(element)) return { problem: "hidden" };
    if (wants.enabled && is_disabled(element)) return { problem: "disabled" };
    if (wants.editable && !is_editable(element))
      return { problem: element.readOnly ? "readonly" : "not editable" };
    if (!wants.point) return {};
    if (!points_of(element).length || round)
      element.scrollIntoView({ behavior: "instant", ...scroll_ways[round % scroll_ways.length] });
    if (!(await is_still(element))) return { problem: "moving" };
    const points = points_of(element);
    if (!points.length) return { problem: "outside of the page" };
    for (const point of points)
      if (is_hit(at_point(point.x, point.y), element)) return point;
    const cover = at_point(points[0].x, points[0].y);
    return { problem: "covered", by: cover ? described(cover) : "nothing that can be hit" };
  };

  const rests = [0, 20, 100, 100, 500];

  const ready = async (n, wants, patience) => {
    const element = known.get(n)?.deref();
    if (!element) return { problem: "gone" };
    const end = performance.now() + patience;
    for (let round = 0; ; round++) {
      const verdict = await judge(element, wants, round);
      if (!verdict.problem || verdict.problem == "gone" || performance.now() >= end) {
        if (!verdict.problem) seen = visible_lines();
        return { ...verdict, shown: described(element) };
      }
      await rest(Math.min(rests[Math.min(round, 4)], Math.max(0, end - performance.now())));
    }
  };

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

  // What is on the screen, a line for each block of text or control.
  const visible_lines = () => {
    const lines = [];
    let line = "";
    const end_line = () => {
      const text = cut(words(line), 100);
      if (text) lines.push(text);
      line = "";
    };
    const walk = (node, deep) => {
      if (lines.length > 400 || deep > 200) return;
      if (node.nodeType == Node.TEXT_NODE) {
        line += node.data;
        return;
      }
      if (node.nodeType != Node.ELEMENT_NODE || is_left_out(node)) return;
      const box = node.getBoundingClientRect();
      const style = getComputedStyle(node);
      if (style.display == "none") return;
      const is_shown = box.width > 0 && box.height > 0;
      if (is_shown && (box.bottom < 0 || box.top > innerHeight)) return;
      if (is_shown && style.visibility != "visible" && !node.childElementCount) return;
      const is_block = !style.display.startsWith("inline") && style.display != "contents";
      if (is_block) end_line();
      if (/^(INPUT|SELECT|TEXTAREA)$/.test(node.tagName)) {
        end_line();
        line = `${described(node)} ${state_of(node).replace("focused", "")}`;
        end_line();
        return;
      }
      for (const child of children_of(node)) walk(child, deep + 1);
      if (is_block) end_line();
    };
    if (document.body) walk(document.body, 0);
    end_line();
    return lines;
  };

  let seen = [];

  // What the screen shows that it did not before the last action, and what is gone.
  const changes = () => {
    const now = visible_lines();
    const before = new Set(seen);
    const after = new Set(now);
    const added = now.filter((line) => !before.has(line));
    const removed = seen.filter((line) => !after.has(line));
    return { added: added.slice(0, 4), more: Math.max(0, added.length - 4), removed: removed.slice(0, 2) };
  };

  const look = () => {
    seen = visible_lines();
  };

  const scrolls = (element) => {
    const { overflowX, overflowY } = getComputedStyle(element);
    const may = (way) => /auto|scroll|overlay/.test(way);
    return (
      (may(overflowY) && element.scrollHeight > element.clientHeight + 1) ||
      (may(overflowX) && element.scrollWidth > element.clientWidth + 1)
    );
  };

  // What is scrolled where an element is, or in the page: its largest part that scrolls when it does
  // not by itself.
  const scroller_of = (element) => {
    for (const each of ancestors(element)) if (scrolls(each)) return each;
    const page = document.scrollingElement ?? document.documentElement;
    if (page.scrollHeight > innerHeight + 1 || page.scrollWidth > innerWidth + 1) return page;
    const area = ({ clientWidth, clientHeight }) => clientWidth * clientHeight;
    const parts = [...everything()].filter((each) => is_visible(each) && scrolls(each));
    return parts.sort((a, b) => area(b) - area(a))[0] ?? page;
  };

  // Brings an element to the middle, or scrolls what it is in: by a screen, to an end, by pixels.
  const scroll = async (n, to) => {
    const element = n ? known.get(n)?.deref() : null;
    if (n && !element?.isConnected) return { problem: "gone" };
    seen = visible_lines();
    const box = scroller_of(element);
    const before = box.scrollTop + box.scrollLeft;
    const { clientWidth: wide, clientHeight: high, scrollHeight, scrollWidth } = box;
    const steps = {
      down: [0, 0.9 * high],
      up: [0, -0.9 * high],
      right: [0.9 * wide, 0],
      left: [-0.9 * wide, 0],
      top: [0, -scrollHeight],
      bottom: [0, scrollHeight],
    };
    const behavior = "instant";
    if (!to) element.scrollIntoView({ behavior, block: "center", inline: "center" });
    else {
      const [left, top] = steps[to] ?? [0, Number(to)];
      box.scrollBy({ behavior, left, top });
    }
    await next_frame();
    await next_frame();
    const is_wide = to == "left" || to == "right";
    return {
      moved: box.scrollTop + box.scrollLeft != before,
      at: Math.round(is_wide ? box.scrollLeft : box.scrollTop),
      of: Math.max(0, is_wide ? scrollWidth - wide : scrollHeight - high),
    };
  };

  // What is asked of the browser about an element is asked with the element itself.
  const node = (n) => known.get(n)?.deref();

  let drags = false;

  // From now on it is noticed when the browser begins to drag something.
  const watch_drag = () => {
    drags = false;
    const note = (event) => setTimeout(() => (drags = !event.defaultPrevented));
    addEventListener("dragstart", note, { capture: true, once: true });
  };

  const is_dragging = async () => {
    await next_frame();
    await rest(0);
    return { drags };
  };

  const takes_files = (n) => {
    const element = known.get(n)?.deref();
    return { input: element?.tagName == "INPUT" && element.type == "file", many: element?.multiple };
  };

  // Where an element can be acted on without scrolling; a problem where it cannot.
  const point_of = (n) => {
    const element = known.get(n)?.deref();
    if (!element?.isConnected) return { problem: "gone" };
    const point = points_of(element).find(({ x, y }) => is_hit(at_point(x, y), element));
    return point ?? { problem: "out of sight" };
  };

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

  const is_on_screen = (element) => {
    const { top, bottom, left, right } = element.getBoundingClientRect();
    return bottom > 0 && right > 0 && top < innerHeight && left < innerWidth && is_visible(element);
  };

  // What the page shows, in short: where it is, what stands out, what can be done.
  const overview = () => {
    const all = [...everything()].filter(is_visible);
    const on_screen = all.filter(is_on_screen);
    const lines = [];
    const list = (title, items, most) => {
      if (!items.length) return;
      const more = items.length > most ? `, and ${items.length - most} more` : "";
      lines.push(`${title}: ${items.slice(0, most).join("; ")}${more}`);
    };
    const texts = (elements, chars) =>
      [...new Set(elements.map((each) => cut(words(content_of(each)), chars)))].filter(Boolean);
    const of_role = (elements, pattern) => elements.filter((each) => pattern.test(role_of(each)));
    const page = document.scrollingElement ?? document.documentElement;
    const state = document.readyState == "complete" ? "" : ", still loading";
    lines.push(`"${cut(words(document.title), 80)}" ${cut(location.href, 120)}${state}`);
    lines.push(
      `screen ${innerWidth} x ${innerHeight}, at ${Math.round(scrollY)} of ${page.scrollHeight} pixels`,
    );
    list("dialogs", of_role(on_screen, /^(dialog|alertdialog)$/).map(described), 3);
    list("messages", texts(of_role(on_screen, /^(alert|status|log)$/), 120), 4);
    list("headings", texts(on_screen.filter((each) => /^H[1-4]$/.test(each.tagName)), 60), 8);
    const counts = new Map();
    const controls = all.filter((each) => acted_on.test(role_of(each)) && each.tagName != "OPTION");
    for (const each of controls) counts.set(role_of(each), (counts.get(role_of(each)) ?? 0) + 1);
    list("controls", [...counts].map(([role, count]) => `${count} ${role}`), 10);
    const wrong = controls.filter((each) => each.matches(":user-invalid, [aria-invalid=true]"));
    list("invalid", wrong.map(described), 5);
    list(
      "tables",
      all
        .filter((each) => each.tagName == "TABLE")
        .map((each) => `${each.rows.length} rows of ${cut(words(each.rows[0]?.textContent), 60)}`),
      3,
    );
    const broken = all.filter((each) => each.tagName == "IMG" && each.complete && !each.naturalWidth);
    list("images not loaded", broken.map((each) => cut(each.currentSrc || each.src, 60)), 3);
    const frames = all.filter((each) => each.tagName == "IFRAME");
    list("frames", frames.map((each) => cut(each.src || "srcdoc", 60)), 4);
    const main = on_screen.find((each) => role_of(each) == "main") ?? document.body;
    const text = main ? words(content_of(main)) : "";
    if (text) lines.push(`text: ${cut(text, 300)}`);
    for (const each of controls.filter(is_on_screen).slice(0, 12)) {
      const more = state_of(each);
      lines.push(`${described(each)} [\u0001${number_of(each)}]${more ? ` ${more}` : ""}`);
    }
    return { lines, left_out: 0 };
  };

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

  const box = (n) => {
    const { x, y, width, height } = known.get(n).deref().getBoundingClientRect();
    return { x, y, width, height, page_x: x + scrollX, page_y: y + scrollY };
  };

  // Elements whose numbers an outline told, for those who find them again.
  const named = (numbers_told) =>
    numbers_told.map((n) => known.get(n)?.deref()).filter(Boolean).map((element) => {
      const role = role_of(element);
      return { n: number_of(element), role, name: cut(name_of(element, role), 200) };
    });

  // What covers the point of a frame that lies under it in this one; empty: nothing does.
  const frame_cover = (x, y) => {
    const hit = at_point(x, y);
    return hit && /^I?FRAME$/.test(hit.tagName) ? "" : hit ? described(hit) : "nothing";
  };

  // What axe-core finds in this document; frames are asked by themselves.
  const accessibility = async (most) => {
    if (!globalThis.axe) return { wants_rules: true };
    const { violations } = await axe.run(document, {
      resultTypes: ["violations"],
      elementRef: true,
      iframes: false,
    });
    const tell = ({ element, failureSummary }) => ({
      n: number_of(element),
      role: role_of(element),
      name: cut(name_of(element), 200),
      is: cut(element.outerHTML.replace(/\s+/g, " "), 160),
      fix: cut(words((failureSummary ?? "").replace(/^[^\n]*\n/, "").replace(/\n\s*/g, "; ")), 300),
    });
    return {
      rules: violations.map(({ id, impact, help, helpUrl, nodes }) => ({
        rule: id,
        impact: impact ?? "minor",
        help,
        more: helpUrl,
        count: nodes.length,
        elements: nodes.slice(0, most).map(tell),
      })),
    };
  };

  // All entries of a kind, from the beginning of the document.
  const timed = (type) =>
    new Promise((resolve) => {
      const all = [];
      if (!PerformanceObserver.supportedEntryTypes.includes(type)) return resolve(all);
      const observer = new PerformanceObserver((list) => all.push(...list.getEntries()));
      observer.observe({ type, buffered: true });
      return setTimeout(() => {
        observer.disconnect();
        resolve(all);
      }, 100);
    });

  const largest_first = (sums, most) =>
    [...sums.values()].sort((a, b) => b.ms - a.ms || b.score - a.score).slice(0, most);

  const element_told = (node) => {
    const element = node?.nodeType == 1 ? node : node?.parentElement;
    return element ? { n: number_of(element), is: described(element) } : {};
  };

  // Of what the largest paint consists, one after the other.
  const paint_parts = (paint, navigation) => {
    const parts = { ms: paint.startTime, ttfb: navigation.responseStart };
    const [resource] = paint.url ? performance.getEntriesByName(paint.url, "resource") : [];
    if (!resource) return { ...parts, render_delay: paint.startTime - navigation.responseStart };
    const asked = Math.max(navigation.responseStart, resource.requestStart || resource.startTime);
    const loaded = Math.max(asked, resource.responseEnd);
    return {
      ...parts,
      load_delay: asked - navigation.responseStart,
      load: loaded - asked,
      render_delay: Math.max(0, paint.startTime - loaded),
      url: cut(paint.url, 200),
    };
  };

  const scripts_of = (frames) => {
    const sums = new Map();
    for (const { scripts } of frames)
      for (const { sourceURL, sourceFunctionName, invoker, duration } of scripts ?? []) {
        const script = cut(sourceURL || invoker || "unknown", 200);
        const key = `${script} ${sourceFunctionName}`;
        const sum = sums.get(key) ?? { script, function: cut(sourceFunctionName), ms: 0, count: 0 };
        sums.set(key, { ...sum, ms: sum.ms + duration, count: sum.count + 1 });
      }
    return largest_first(sums, 10);
  };

  const shifted = (shifts) => {
    const sums = new Map();
    for (const { value, sources, hadRecentInput } of shifts) {
      if (hadRecentInput) continue;
      for (const { node } of sources.slice(0, 5)) {
        const told = element_told(node);
        const sum = sums.get(told.n) ?? { ...told, score: 0, ms: 0 };
        sums.set(told.n, { ...sum, score: sum.score + value / sources.length });
      }
    }
    return largest_first(sums, 10);
  };

  const measures = async () => {
    const [paints, frames, tasks, shifts] = await Promise.all(
      ["largest-contentful-paint", "long-animation-frame", "longtask", "layout-shift"].map(timed),
    );
    const [navigation] = performance.getEntriesByType("navigation");
    const paint = paints.at(-1);
    const blocking = performance
      .getEntriesByType("resource")
      .filter(({ renderBlockingStatus }) => renderBlockingStatus == "blocking")
      .map(({ name, duration, transferSize }) => ({
        url: cut(name, 200),
        ms: duration,
        bytes: transferSize,
      }));
    return {
      lcp: paint ? { ...paint_parts(paint, navigation), ...element_told(paint.element) } : undefined,
      long_frames: {
        count: frames.length,
        blocked_ms: frames.reduce((sum, { blockingDuration }) => sum + blockingDuration, 0),
        longest_ms: Math.max(0, ...frames.map(({ duration }) => duration)),
      },
      long_tasks: tasks.length,
      scripts: scripts_of(frames),
      shifts: shifted(shifts),
      render_blocking: blocking.sort((a, b) => b.ms - a.ms).slice(0, 10),
    };
  };

  globalThis.gasoline_hands = {
    accessibility,
    measures,
    find,
    ready,
    focus_for,
    changes,
    outline,
    named,
    listed: find,
    frame_cover,
    choose,
    is_checked,
    kind_of_field,
    nearest,
    look,
    read,
    box,
    overview,
    scroll,
    node,
    takes_files,
    watch_drag,
    is_dragging,
    point_of,
    new_hosts,
    take_root,
  };
})();
