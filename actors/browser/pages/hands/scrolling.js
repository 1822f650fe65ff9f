// Scrolls to an element, or what it is in.

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
  see();
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
