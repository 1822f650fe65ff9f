// One document's life: its id, and whether it is being left.
import { listen } from "./page_hooks.js";

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
