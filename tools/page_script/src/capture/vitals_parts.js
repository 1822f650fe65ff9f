// Smaller stand-ins for helpers inside web-vitals, under the names that it imports them by: without
// ratings, ids, attribution, pages that come back from the cache, and the polyfill for browsers that
// do not count interactions. The build puts them in place; what is measured stays web-vitals' own code.
import { listen } from "../page_hooks.js";
import { before_hide } from "../transport.js";

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

const [navigation] = performance.getEntriesByType("navigation");

// When a page that was loaded ahead was shown.
export const getActivationStart = () => navigation?.activationStart ?? 0;

export const whenActivated = (action) =>
  document.prerendering ? listen(document, "prerenderingchange", () => action()) : action();

// What is measured of a page that comes back is compared with nothing.
export const onBFCacheRestore = () => {};

export const whenIdleOrHidden = (action) => action();

export const initInteractionCountPolyfill = () => {};

export const getInteractionCount = () => performance.interactionCount ?? 0;

const interactions_kept = 10;

// The slowest interactions, slowest first; of each 50 the slowest one is left out of account.
export class InteractionManager {
  _slowest = [];

  _processEntry({ interactionId: id, entryType, duration }) {
    if (!id && entryType != "first-input") return;
    const known = this._slowest.find((interaction) => interaction.id == id);
    if (known) known._latency = Math.max(known._latency, duration);
    else this._slowest.push({ id, _latency: duration });
    this._slowest.sort((one, other) => other._latency - one._latency).splice(interactions_kept);
  }

  _estimateP98LongestInteraction() {
    const left_out = Math.floor(getInteractionCount() / 50);
    return this._slowest[Math.min(this._slowest.length - 1, left_out)];
  }
}

let first_hidden;

const start_watch = () => {
  first_hidden = globalThis.document?.hidden && !document.prerendering ? 0 : Infinity;
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
