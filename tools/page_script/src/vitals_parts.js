// Smaller stand-ins for helpers inside web-vitals, under the names that it imports them by: without
// ratings, ids, attribution, prerendering and the polyfill for browsers that do not count
// interactions. The build puts them in place; what is measured stays web-vitals' own code.
import { listen } from "./page_hooks.js";
import { before_hide } from "./transport.js";

export const initMetric = (name, value = -1) => ({ value, entries: [] });

export const initUnique = (options, type) => new type();

export const bindReporter = (report, metric) => {
  let reported;
  return (final) => {
    if (!final || metric.value < 0 || metric.value === reported) return;
    reported = metric.value;
    report(metric);
  };
};

export const getActivationStart = () => 0;

export const whenActivated = (action) => action();

export const whenIdleOrHidden = whenActivated;

export const initInteractionCountPolyfill = () => {};

export const getInteractionCount = () => performance.interactionCount ?? 0;

let first_hidden;

const start_watch = () => {
  first_hidden = document.hidden ? 0 : Infinity;
};

start_watch();
listen(window, "pageshow", ({ persisted }) => persisted && start_watch());
before_hide(() => {
  first_hidden = Math.min(first_hidden, performance.now());
});

export const getVisibilityWatcher = () => ({
  get firstHiddenTime() {
    return first_hidden;
  },
  onHidden: before_hide,
});
