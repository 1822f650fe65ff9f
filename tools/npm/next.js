// For next.config.mjs: export default gasoline({ ... })
import { subscribe } from "node:diagnostics_channel";
import { open_page_tags } from "./lib/page_tag.js";

const mark = Symbol.for("gasoline-telemetry/next");

// Next reads its configuration in the process that answers the pages. It prints "Compiled" while other
// parts of the code are broken, so what does not compile is told by the page, which Next tells it all.
const watch_this_process = () => {
  if (globalThis[mark]) return;
  globalThis[mark] = true;
  const tags = open_page_tags();
  subscribe("http.server.request.start", ({ request, response }) => tags.watch(request, response));
};

// Gives back the configuration as it was; `next build` and `next start` get nothing else.
export default function gasoline(config = {}) {
  if (process.env.NODE_ENV == "development") watch_this_process();
  return config;
}
