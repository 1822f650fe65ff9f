import { dev_server, hot_updates } from "../dev_server.js";
import { listen } from "../page_hooks.js";
import { before_hide, page_id } from "../page_life.js";
import { report } from "../transport.js";
import { activation_start, since_shown, watch_vitals } from "./web_vitals.js";

const settle_ms = 2000;

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
  if (document.prerendering || activation_start() > 0) return "prerender";
  return document.wasDiscarded ? "restore" : type;
};

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
  // It comes when the load has ended.
  listen(globalThis, "pageshow", ({ persisted }) => {
    if (persisted) {
      begin_visit("back-forward-cache");
      changes = {};
      setTimeout(report_changes, settle_ms);
    } else if (document.prerendering) {
      listen(document, "prerenderingchange", () => report_load(navigation));
    } else report_load(navigation);
  });
  // Added first, it runs last.
  before_hide(report_changes);
  watch_vitals(note);
};
