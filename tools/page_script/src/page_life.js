// One document's life: its id, whether it is being left, and what is done when it is hidden.
import { listen, quietly } from "./page_hooks.js";

// A navigation may be called off, and then the page stays.
const leave_ms = 1e4;

// Where this is, when it is not the page itself.
export const frame = !globalThis.document
  ? "worker"
  : globalThis.top == globalThis
    ? undefined
    : "iframe";

// Documents without an address are those of their page.
export const page_address = () =>
  location.protocol == "about:" ? document.baseURI : location.href;

export const page_id = Math.random().toString(36).slice(2, 12);

let left_at = -Infinity;

// What fails now may have been cut off by the browser.
export const is_leaving = () => performance.now() - left_at < leave_ms;

export const watch_page_life = () => {
  const leave = () => (left_at = performance.now());
  listen(globalThis, "pagehide", leave);
  // Firefox keeps no page with such a listener for the way back.
  if (!/Firefox/.test(navigator.userAgent)) listen(globalThis, "beforeunload", leave);
  listen(globalThis, "pageshow", ({ persisted }) => persisted && (left_at = -Infinity));
};

const hide_actions = [];

// The action that was added last runs first.
export const before_hide = (action) => hide_actions.unshift(action);

// Runs these actions whenever the page is hidden, and `last` behind them. A visible page that goes away
// is hidden first.
export const watch_hiding = (last) => {
  const on_hide = quietly(() => {
    for (const action of hide_actions) action();
    last?.();
  });
  // Not while capturing: what the page itself says then is told, too.
  addEventListener("visibilitychange", () => globalThis.document?.hidden && on_hide());
  addEventListener("pagehide", on_hide);
};
