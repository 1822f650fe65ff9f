// What an agent wants to know, what an answer must therefore contain, and the calls that give it, with
// the fewest bytes that each server allows. A call's arguments may be made from the answers before it.
import { line_of } from "./shop.mjs";

const at = (words) => new RegExp(`App\\.jsx:${line_of(words)}\\b`);
const observe = (what, more) => ["observe", { what, ...more }];

// The number before a line of a list, as chrome-devtools-mcp and @playwright/mcp write them.
const number_of = (pattern) => (text) =>
  Number(text.split("\n").find((line) => pattern.test(line))?.match(/\d+/)?.[0] ?? 0);
const listed = ["list_console_messages", { types: ["error"] }];
const detail_of = (pattern) => [
  "get_console_message",
  (text) => ({ msgid: number_of(pattern)(text) }),
];
const request_of = (pattern) => [
  "get_network_request",
  (text) => ({ reqid: number_of(pattern)(text) }),
];
const fetches = ["list_network_requests", { resourceTypes: ["fetch", "xhr"] }];
const errors = ["browser_console_messages", { level: "error" }];
const part_of = (pattern, part) => [
  "browser_network_request",
  (text) => ({ index: number_of(pattern)(text), part }),
];

export const questions = [
  {
    name: "the line that breaks a render",
    clicks: ["#break"],
    must: [/reading 'value'/, at("item.amount.value"), /Total/],
    gasoline: [observe("errors")],
    devtools: [listed, detail_of(/reading 'value'/)],
    playwright: [errors],
  },
  {
    name: "the line of an unhandled rejection",
    clicks: ["#pay"],
    must: [/reading 'toFixed'/, at("price.toFixed"), /pay/],
    gasoline: [observe("errors")],
    devtools: [listed, detail_of(/in promise/)],
    playwright: [errors],
  },
  {
    name: "an error that came 30 times",
    clicks: ["#many"],
    must: [/stock is negative/, at("stock is negative"), /check/],
    gasoline: [observe("errors")],
    devtools: [listed, detail_of(/stock is negative/)],
    playwright: [errors],
  },
  {
    name: "two faults of different kinds",
    clicks: ["#pay", "#break"],
    must: [/reading 'toFixed'/, at("price.toFixed"), /reading 'value'/, at("item.amount.value")],
    gasoline: [observe("errors")],
    devtools: [listed, detail_of(/reading 'value'/), detail_of(/in promise/)],
    playwright: [errors],
  },
  {
    name: "the line in a minified build",
    built: true,
    clicks: ["#many"],
    must: [/stock is negative/, at("stock is negative")],
    gasoline: [observe("errors")],
    devtools: [listed, detail_of(/stock is negative/)],
    playwright: [errors],
  },
  {
    name: "what led to an error",
    clicks: ["#pay"],
    must: [/reading 'toFixed'/, at("price.toFixed"), /Pay/, /\/api\/items/],
    gasoline: [observe("errors")],
    devtools: [listed, detail_of(/in promise/), fetches, request_of(/api.items/)],
    playwright: [
      errors,
      ["browser_network_requests", { filter: "/api/" }],
      part_of(/api.items/, "response-body"),
    ],
  },
  {
    name: "a warning and its object",
    clicks: ["#warn"],
    must: [/cart is slow/, /950/, /\[1,\s*2\]/],
    gasoline: [observe("logs", { min_level: "warn" })],
    devtools: [["list_console_messages", { types: ["warn"] }], detail_of(/cart is slow/)],
    playwright: [["browser_console_messages", { level: "warning" }]],
  },
  {
    name: "which request failed, and how",
    clicks: ["#list", "#save"],
    must: [/POST/, /\/api\/cart/, /500/, /database is down/],
    gasoline: [observe("network_bodies", { status_min: 400 })],
    devtools: [fetches, request_of(/cart/)],
    playwright: [
      ["browser_network_requests", { filter: "/api/" }],
      part_of(/cart/, "response-body"),
    ],
  },
  {
    name: "a request that CORS blocked",
    clicks: ["#tax"],
    must: [/\/tax/, /CORS|Access-Control|Failed to fetch|ERR_FAILED/],
    gasoline: [observe("network_bodies", { status_min: 400 })],
    devtools: [["list_console_messages", { types: ["error"] }]],
    playwright: [errors],
  },
  {
    name: "an error of the page before this one",
    clicks: ["#pay"],
    leaves: true,
    must: [/reading 'toFixed'/, at("price.toFixed")],
    gasoline: [observe("errors")],
    devtools: [
      ["list_console_messages", { types: ["error"], includePreservedMessages: true }],
      detail_of(/in promise/),
    ],
    playwright: [["browser_console_messages", { level: "error", all: true }]],
  },
  {
    name: "whether a healthy page has errors",
    clicks: [],
    must: [/no (console|errors)|No errors|Errors: 0/],
    gasoline: [observe("errors")],
    devtools: [listed],
    playwright: [errors],
  },
];
