import { capture_actions } from "./capture/action_capture.js";
import { capture_console } from "./capture/console_capture.js";
import { capture_errors } from "./capture/error_capture.js";
import { capture_frames } from "./capture/frame_capture.js";
import { capture_requests } from "./capture/network_capture.js";
import { quietly } from "./page_hooks.js";
import { frame, watch_page_life } from "./page_life.js";
import { capture_violations } from "./capture/security_capture.js";
import { start_transport } from "./transport.js";
import { capture_vitals } from "./capture/vitals_capture.js";
import { capture_waterfall } from "./capture/waterfall_capture.js";
import { capture_websockets } from "./capture/websocket_capture.js";

const mark = "gasoline.js";
// A module and a worker have no current script: there the address stands in a stack.
const { document: page } = globalThis;
const {
  src = /\w+:\/\/[^\s()]+?(?=:\d+:\d+)/.exec(new Error().stack)?.[0],
  crossOrigin = 1,
  async,
  defer,
  nonce,
} = page?.currentScript ?? {};

// A browser mutes the errors of scripts from other origins, and with them those of every function
// that such a script wraps: a rejected fetch would no longer reach the page's own handlers. So a
// plain tag loads the script once more, the way that is not muted, before the page goes on.
let starting = crossOrigin ?? (async || defer);
try {
  if (!starting) document.write(`<script crossorigin nonce="${nonce}" src="${src}"></script>`);
} catch {
  // A page may forbid writing.
  starting = true;
}

const everywhere = [
  watch_page_life,
  capture_console,
  capture_errors,
  capture_requests,
  capture_waterfall,
  capture_websockets,
];
const in_documents = [capture_actions, capture_violations, capture_frames];

if (starting && src && !globalThis[mark]) {
  globalThis[mark] = true;
  start_transport(src);
  // Each on its own: what a browser cannot do leaves the others running.
  const captures = [
    ...everywhere,
    ...(page ? in_documents : []),
    ...(frame ? [] : [capture_vitals]),
  ];
  for (const capture of captures) quietly(capture)();
}
