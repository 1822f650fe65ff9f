import { onCLS } from "web-vitals/onCLS.js";
import { onFCP } from "web-vitals/onFCP.js";
import { onINP } from "web-vitals/onINP.js";
import { onLCP } from "web-vitals/onLCP.js";
import { listen } from "./page_hooks.js";
import { before_hide, report } from "./transport.js";

const settle_ms = 2000;

const metrics = [
  [onCLS, "cumulative_layout_shift"],
  [onFCP, "first_contentful_paint"],
  [onINP, "interaction_to_next_paint"],
  [onLCP, "largest_contentful_paint"],
];

let visit;
let changes;

const note = (name, value) => {
  changes = { ...changes, [name]: +value.toFixed(3) };
};

const report_changes = () => {
  if (!changes) return;
  const { cumulative_layout_shift, ...timing } = changes;
  changes = undefined;
  const timestamp = Date.now();
  report("performance-snapshots", { timestamp, ...visit, timing, cumulative_layout_shift });
};

const begin_visit = (navigation_type) => {
  const url = location.origin + location.pathname;
  visit = { id: `${Math.random()}`, url, navigation_type };
};

// Reports how fast the page was: what is known 2 s after its load, then, whenever it is hidden, the
// values that changed. All snapshots of one visit carry the same id; a return from the
// back-forward cache is a visit of its own.
export const capture_vitals = () => {
  const [navigation] = performance.getEntriesByType("navigation");
  begin_visit(navigation.type);
  // Before web-vitals listens for the same event, which comes when the load has ended.
  listen(window, "pageshow", ({ persisted }) => {
    if (persisted) {
      begin_visit("back-forward-cache");
    } else {
      note("load", navigation.loadEventEnd);
      note("dom_content_loaded", navigation.domContentLoadedEventEnd);
      note("time_to_first_byte", navigation.responseStart);
    }
    setTimeout(report_changes, settle_ms);
  });
  // Added before those of web-vitals, it runs after them.
  before_hide(report_changes);
  for (const [watch, name] of metrics) watch(({ value }) => note(name, value));
};
