import assert from "node:assert/strict";

import { ci_failure, console_entry } from "./samples.mjs";

// Every ingest route with a good body, and how `observe` shows what came in.
export const routes = [
  ["/logs", { entries: [console_entry("seen in logs")] }, "logs", /seen in logs/],
  [
    "/network-bodies",
    {
      bodies: [
        {
          url: "https://app.test/api/pay",
          method: "POST",
          status: 201,
          content_type: "application/json",
          response_body: '{"seen":"in bodies"}',
          duration: 12,
        },
      ],
    },
    "network_bodies",
    /api\/pay/,
  ],
  [
    "/network-waterfall",
    {
      entries: [{ name: "https://app.test/font.woff2", initiator_type: "css", duration: 8 }],
      page_url: "https://app.test/",
    },
    "network_waterfall",
    /font\.woff2/,
  ],
  [
    "/websocket-events",
    { events: [{ event: "open", id: "w1", url: "wss://app.test/live" }] },
    "websocket_events",
    /live/,
  ],
  [
    "/enhanced-actions",
    { actions: [{ type: "click", timestamp: Date.now(), url: "https://app.test/cart" }] },
    "actions",
    /click/,
  ],
  [
    "/performance-snapshots",
    {
      snapshots: [
        {
          url: "https://app.test/cart",
          timing: { load: 900, first_contentful_paint: 300, time_to_first_byte: 50 },
        },
      ],
    },
    "performance",
    /cart/,
  ],
  ["/ci-result", ci_failure({ source: "seen-in-ci" }), "ci", /seen-in-ci/],
];
export const list_routes = routes.filter(([route]) => route !== "/ci-result");
export const list_key = (body) => Object.keys(body)[0];

// An error answer holds one sentence for the user.
export const assert_sentence = (answer, status) => {
  assert.equal(answer.status, status, answer.text);
  assert.match(answer.json.error, /^\S.{15,}[.)]$/s);
};
