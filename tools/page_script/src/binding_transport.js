// Stands in for transport.js in watch.js: carries entries to the engine that drives this browser, by a
// function that the browser has put into this world.
import { page_address, frame } from "./page_life.js";
import { quietly } from "./page_hooks.js";

const hide_actions = [];

export const script_url = "";
export const is_own_origin = () => false;
export const is_own = () => false;
export const stop_transport = () => {};

// The action that was added last runs first.
export const before_hide = (action) => hide_actions.unshift(action);

export const report = (to, entry) =>
  globalThis.gasoline_tell?.(
    JSON.stringify({ to, entry: { ts: new Date(), url: page_address(), frame, ...entry } }),
  );

const on_hide = quietly(() => {
  for (const action of hide_actions) action();
});
addEventListener("visibilitychange", () => document.hidden && on_hide());
addEventListener("pagehide", on_hide);
