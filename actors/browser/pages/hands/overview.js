// What a page shows, in short.

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
