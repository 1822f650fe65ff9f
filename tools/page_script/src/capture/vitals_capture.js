import { onCLS } from "web-vitals/onCLS.js";
import { onFCP } from "web-vitals/onFCP.js";
import { onINP } from "web-vitals/onINP.js";
import { onLCP } from "web-vitals/onLCP.js";
import { dev_server, first_hot_update, hot_updates } from "../dev_server.js";
import { listen } from "../page_hooks.js";
import { page_id } from "../page_life.js";
import { before_hide, report } from "../transport.js";
import { getActivationStart } from "./vitals_parts.js";

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
  report("performance-snapshots", {
    timestamp: Date.now(),
    ...visit,
    page_id,
    dev_server,
    hot_updates: hot_updates || undefined,
    timing,
    cumulative_layout_shift,
  });
};

const begin_visit = (navigation_type) => {
  const url = location.origin + location.pathname;
  visit = { id: `${Math.random()}`, url, navigation_type };
};

const type_of = ({ type }) => {
  if (document.prerendering || getActivationStart() > 0) return "prerender";
  return document.wasDiscarded ? "restore" : type;
};

// A paint that a hot update has made says nothing about the load.
const is_of_load = (name, { entries }) =>
  name != "largest_contentful_paint" || !(entries.at(-1)?.startTime > first_hot_update);

// Times count from when the page was shown.
const since_shown = (time) => Math.max(0, time - getActivationStart());

const report_load = (navigation) => {
  visit.navigation_type = type_of(navigation);
  note("load", since_shown(navigation.loadEventEnd));
  note("dom_content_loaded", since_shown(navigation.domContentLoadedEventEnd));
  note("time_to_first_byte", since_shown(navigation.responseStart));
  setTimeout(report_changes, settle_ms);
};

// Reports how fast the page was: what is known 2 s after its load, then, whenever it is hidden, the
// values that changed. All snapshots of one visit carry the same id; a return from the
// back-forward cache is a visit of its own.
export const capture_vitals = () => {
  const [navigation] = performance.getEntriesByType("navigation");
  begin_visit(navigation.type);
  // Before web-vitals listens for the same event, which comes when the load has ended.
  listen(globalThis, "pageshow", ({ persisted }) => {
    if (persisted) {
      begin_visit("back-forward-cache");
      changes = {};
      setTimeout(report_changes, settle_ms);
    } else if (document.prerendering) {
      listen(document, "prerenderingchange", () => report_load(navigation));
    } else report_load(navigation);
  });
  // Added before those of web-vitals, it runs after them.
  before_hide(report_changes);
  for (const [watch, name] of metrics)
    watch((metric) => is_of_load(name, metric) && note(name, metric.value));
};
