// Where a person could act on an element, and what keeps one from it.

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

// What a click is for, rather than for the label that it stands in.
const own_click = /^(A|BUTTON|INPUT|SELECT|TEXTAREA|IFRAME|DETAILS|SUMMARY|LABEL)$/;

const is_hit = (hit, target) => {
  let for_label = true;
  for (const each of ancestors(hit)) {
    if (each == target) return true;
    if (each.tagName == "LABEL" && each.control == target) return for_label;
    if (own_click.test(each.tagName)) for_label = false;
  }
  return false;
};

// Where a person acts on an element: boxes and inputs for files are often hidden, and their label
// is dressed up in their place.
const faces_of = (element) => {
  const labels = /^(checkbox|radio|file)$/.test(element.type) ? [...(element.labels ?? [])] : [];
  return [element, ...labels].filter(is_visible);
};

const parts_looked_at = 3;
const along = [0.5, 0.2, 0.8, 0.04, 0.96];

// The parts of an element that can be seen, as points: the middle of the first one first.
const points_of = (element) =>
  [...element.getClientRects()]
    .map((box) => {
      const left = Math.max(0, box.left);
      const top = Math.max(0, box.top);
      const width = Math.min(innerWidth, box.right) - left;
      const height = Math.min(innerHeight, box.bottom) - top;
      return { left, top, width, height };
    })
    .filter(({ width, height }) => width > 0 && height > 0 && width * height > 0.99)
    .slice(0, parts_looked_at)
    .flatMap(({ left, top, width, height }) =>
      along.flatMap((down) =>
        along.map((right) => ({ x: left + width * right, y: top + height * down })),
      ),
    );

const scroll_ways = [
  { block: "nearest", inline: "nearest" },
  { block: "center", inline: "center" },
  { block: "end", inline: "end" },
  { block: "start", inline: "start" },
];

// Whether it stands where it stood a frame ago. Until another frame is drawn nobody can tell; of a frame
// that is covered none may be, and on a busy machine none for long.
const stillness = async (element) => {
  const before = element.getBoundingClientRect();
  const drawn_at = document.timeline.currentTime;
  await next_frame();
  const after = element.getBoundingClientRect();
  if (["left", "top", "width", "height"].some((side) => before[side] != after[side])) return "moved";
  const is_drawn = is_framed || document.hidden || document.timeline.currentTime > drawn_at;
  return is_drawn ? "still" : "unknown";
};

const is_inert = (element) => {
  for (const each of ancestors(element)) if (each.inert) return true;
  return false;
};

// Why none of its points is hit.
const cover_of = (element, point) => {
  if (getComputedStyle(element).pointerEvents == "none") return { problem: "deaf" };
  const cover = at_point(point.x, point.y);
  if (cover && cover.contains(element)) return { problem: "cut off", by: described(cover) };
  return { problem: "covered", by: cover ? described(cover) : "nothing that can be hit" };
};

const is_framed = globalThis.top !== globalThis;

// What keeps a person from acting on it now; or the point to act at.
const judge = async (element, wants, round) => {
  if (!element.isConnected) return { problem: "gone" };
  const faces = faces_of(element);
  if (!wants.unseen && !faces.length) return { problem: "hidden" };
  if (wants.enabled && is_disabled(element)) return { problem: "disabled" };
  if (wants.enabled && is_inert(element)) return { problem: "inert" };
  if (wants.editable && !is_editable(element))
    return { problem: element.readOnly ? "readonly" : "not editable" };
  if (!wants.point) return {};
  const [face] = faces;
  // What a frame shows may itself be out of sight.
  if (is_framed || !points_of(face).length || round)
    face.scrollIntoView({ behavior: "instant", ...scroll_ways[round % scroll_ways.length] });
  const seen = await stillness(face);
  if (seen == "moved") return { problem: "moving" };
  const points = faces.flatMap(points_of);
  if (!points.length) return { problem: "outside of the page" };
  for (const point of points)
    if (is_hit(at_point(point.x, point.y), element))
      return seen == "still" ? point : { problem: "moving" };
  return cover_of(element, points[0]);
};

const presses = ["pointerdown", "mousedown", "pointerup", "mouseup", "click", "auxclick", "dblclick", "contextmenu"];

let stop_aiming = null;

// The next press is for that element. The page may have moved it away as the mouse came: then the
// press, with what follows from it, is kept from what is there now.
const aim_at = (element) => {
  stop_aiming?.();
  let hit;
  const judge_press = (event) => {
    if (!event.isTrusted) return;
    hit ??= is_hit(at_point(event.clientX, event.clientY), element);
    if (hit) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  for (const type of presses) addEventListener(type, judge_press, true);
  stop_aiming = () => {
    for (const type of presses) removeEventListener(type, judge_press, true);
    stop_aiming = null;
    return { missed: hit === false };
  };
};

const aimed = () => stop_aiming?.() ?? {};

const rests = [0, 20, 100];

const ready = async (n, wants, patience) => {
  const element = known.get(n)?.deref();
  if (!element) return { problem: "gone" };
  const end = performance.now() + patience;
  for (let round = wants.round ?? 0; ; round++) {
    const verdict = await judge(element, wants, round);
    if (!verdict.problem || verdict.problem == "gone" || performance.now() >= end) {
      if (!verdict.problem && !wants.again) see();
      if (!verdict.problem && wants.press) aim_at(element);
      return { ...verdict, shown: described(element) };
    }
    await rest(Math.min(rests[Math.min(round, rests.length - 1)], Math.max(0, end - performance.now())));
  }
};

// Where an element can be acted on without scrolling; a problem where it cannot.
const point_of = (n) => {
  const element = known.get(n)?.deref();
  if (!element?.isConnected) return { problem: "gone" };
  const point = points_of(element).find(({ x, y }) => is_hit(at_point(x, y), element));
  return point ?? { problem: "out of sight" };
};

// What covers the point of a frame that lies under it in this one; empty: nothing does.
const frame_cover = (x, y) => {
  const hit = at_point(x, y);
  return hit && /^I?FRAME$/.test(hit.tagName) ? "" : hit ? described(hit) : "nothing";
};

const box = (n) => {
  const { x, y, width, height } = known.get(n).deref().getBoundingClientRect();
  return { x, y, width, height, page_x: x + scrollX, page_y: y + scrollY };
};
