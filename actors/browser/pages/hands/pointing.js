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

const rests = [0, 20, 100];

const ready = async (n, wants, patience) => {
  const element = known.get(n)?.deref();
  if (!element) return { problem: "gone" };
  const end = performance.now() + patience;
  for (let round = 0; ; round++) {
    const verdict = await judge(element, wants, round);
    if (!verdict.problem || verdict.problem == "gone" || performance.now() >= end) {
      if (!verdict.problem && !wants.again) see();
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
