// What a page measured of its own speed.

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
