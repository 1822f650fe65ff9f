// Stands in for transport.js in watch.js: carries entries to the engine that drives this browser, by a
// function that the browser has put into this world.
import { page_address, frame, watch_hiding } from "./page_life.js";

export const script_url = "";
export const is_own_origin = () => false;
export const is_own = () => false;
export const stop_transport = () => {};

export const report = (to, entry) =>
  globalThis.gasoline_tell?.(
    JSON.stringify({ to, entry: { ts: new Date(), url: page_address(), frame, ...entry } }),
  );

watch_hiding();
