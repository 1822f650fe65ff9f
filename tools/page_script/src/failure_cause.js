// Why a request got no answer, where that is no fault.
import { is_dev_server_away } from "./dev_server.js";
import { is_leaving } from "./page_life.js";

const local_hosts = /^(localhost|127\.|\[::1|10\.|192\.168\.)|\.localhost$/;
const filtered_words =
  /analytics|tagmanager|gtag|doubleclick|syndication|adservice|pixel|track(er|ing)|telemetry|beacon|collect\b|sentry|segment|hotjar|mixpanel|posthog|plausible|clarity|facebook\./i;

export const is_foreign = (url) => {
  const { hostname } = new URL(url);
  return hostname != location.hostname && !local_hosts.test(hostname);
};

// What filter lists block: a browser tells a page no more of it than of a host that is away.
const looks_filtered = (url) => is_foreign(url) && filtered_words.test(url.replace(/[?#].*/, ""));

export const is_abort = (error) =>
  /^(AbortError|CanceledError)$/.test(error?.name) || error?.code == "ERR_CANCELED";

// `error` is what the request failed with, where there is something.
export const cause_of = (url, error, is_aborted) => {
  if (is_aborted || is_abort(error)) return "aborted";
  if (is_leaving()) return "navigation";
  if (navigator.onLine === false && is_foreign(url)) return "offline";
  if (is_dev_server_away() && new URL(url).origin == location.origin) return "dev_server";
  return looks_filtered(url) ? "blocked" : undefined;
};
