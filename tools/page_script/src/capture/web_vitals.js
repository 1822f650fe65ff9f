// What a page feels like, by the definitions of Chrome's library web-vitals, which measures more than is
// told here and takes more bytes. tests/browser/web_vitals_e2e.test.mjs compares both, value by value.
import { first_hot_update } from "../dev_server.js";
import { listen, quietly } from "../page_hooks.js";
import { before_hide } from "../page_life.js";

const [navigation] = performance.getEntriesByType("navigation");

// When a page that was loaded ahead was shown.
export const activation_start = () => navigation?.activationStart ?? 0;

// Times count from when the page was shown.
export const since_shown = (time) => Math.max(0, time - activation_start());

let first_hidden;

// A page that comes back from the back-forward cache is measured anew, from that time on.
const on_return = (action) =>
  listen(window, "pageshow", ({ persisted, timeStamp }) => persisted && action(timeStamp));

const watch_first_hiding = () => {
  const start = () => {
    first_hidden = document.hidden && !document.prerendering ? 0 : Infinity;
  };
  start();
  on_return(start);
  before_hide(() => {
    first_hidden = Math.min(first_hidden, performance.now());
  });
};

// Gives whether the browser has entries of that type.
const observe = (type, take, options) => {
  if (!PerformanceObserver.supportedEntryTypes.includes(type)) return false;
  const observer = new PerformanceObserver(quietly((list) => list.getEntries().forEach(take)));
  observer.observe({ type, buffered: true, ...options });
  before_hide(() => observer.takeRecords().forEach(take));
  return true;
};

// The worst sum of shifts that follow each other within a second, over five seconds at most.
const watch_shifts = () => {
  let worst = 0;
  let sum = 0;
  let first;
  let last;
  const is_observed = observe("layout-shift", ({ hadRecentInput, startTime, value }) => {
    if (hadRecentInput) return;
    if (!(startTime - last < 1000 && startTime - first < 5000)) {
      sum = 0;
      first = startTime;
    }
    last = startTime;
    sum += value;
    worst = Math.max(worst, sum);
  });
  on_return(() => (worst = sum = 0));
  return () => (is_observed ? worst : undefined);
};

const interactions_kept = 10;

// The slowest interaction; of each 50 the slowest one is left out of account.
const watch_interactions = () => {
  // The slowest first.
  const slowest = [];
  const count = () => performance.interactionCount ?? 0;
  // Of the visits before this one.
  let earlier;
  const take = ({ interactionId: id, duration }) => {
    if (!id) return;
    const known = slowest.find((one) => one.id == id);
    if (known) known.duration = Math.max(known.duration, duration);
    else slowest.push({ id, duration });
    slowest.sort((one, other) => other.duration - one.duration).splice(interactions_kept);
  };
  observe("event", take, { durationThreshold: 40 });
  observe("first-input", take);
  on_return(() => {
    slowest.length = 0;
    earlier = count();
  });
  return () => {
    const left_out = Math.floor((count() - (earlier ?? 0)) / 50);
    // The first input is told however fast it was, but not again after a return.
    const fast = count() > earlier ? 8 : undefined;
    return slowest[Math.min(slowest.length - 1, left_out)]?.duration ?? fast;
  };
};

// Calls `note(name, value)` for the first paint at once, for the others when the page is hidden and
// they have changed. A browser itself ends the paints at the first input.
export const watch_vitals = (note) => {
  let values = {};
  let largest_paint;
  let is_painted;
  before_hide(() => {
    note_changed("cumulative_layout_shift", is_painted ? shift() : undefined);
    note_changed("interaction_to_next_paint", interaction());
    note_changed("largest_contentful_paint", largest_paint);
  });
  const note_changed = (name, value) => {
    if (value !== values[name]) note(name, value);
    values[name] = value;
  };
  watch_first_hiding();
  observe("paint", ({ name, startTime }) => {
    if (name != "first-contentful-paint" || startTime >= first_hidden) return;
    is_painted = true;
    note("first_contentful_paint", since_shown(startTime));
  });
  observe("largest-contentful-paint", ({ startTime }) => {
    // A paint that a hot update has made says nothing about the load.
    if (startTime < first_hidden && !(startTime > first_hot_update))
      largest_paint = since_shown(startTime);
  });
  on_return((time) => {
    values = {};
    const note_paint = () => {
      is_painted = true;
      largest_paint = performance.now() - time;
      note("first_contentful_paint", largest_paint);
    };
    requestAnimationFrame(() => requestAnimationFrame(quietly(note_paint)));
  });
  const shift = watch_shifts();
  const interaction = watch_interactions();
};
