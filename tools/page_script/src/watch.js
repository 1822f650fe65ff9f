// What the engine's own browser cannot tell by itself of a page: what its user does, how fast it was,
// what its policy blocks. Runs in a world of its own in each frame, before the page's scripts.
import { capture_actions } from "./capture/action_capture.js";
import { capture_deeds } from "./capture/deed_capture.js";
import { capture_violations } from "./capture/security_capture.js";
import { capture_vitals } from "./capture/vitals_capture.js";
import { listen, quietly } from "./page_hooks.js";
import { frame, page_id } from "./page_life.js";
import { report } from "./transport.js";

let from_url = location.href;

// The page's calls of pushState are made in another world: they are seen by what comes of them.
// What comes of an address typed or a step back, capture_actions tells.
const report_new_address = ({ navigationType: type }) => {
  const to_url = location.href;
  if (to_url != from_url && /push|replace/.test(type))
    report("enhanced-actions", { type: "navigate", timestamp: Date.now(), page_id, from_url, to_url });
  from_url = to_url;
};

const capture_addresses = () =>
  listen(globalThis.navigation, "currententrychange", report_new_address);

const captures = [capture_actions, capture_deeds, capture_violations, capture_addresses];
for (const capture of [...captures, ...(frame ? [] : [capture_vitals])]) quietly(capture)();
