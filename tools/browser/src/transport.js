// Batches entries and posts them to the engine. Bounded, and silent when the engine is away.
import { quietly } from "./page_hooks.js";

const batch_entries = 50;
const batch_chars = 2e4;
const batch_ms = 100;
const queue_entries = 1000;
const timeout_ms = 1e4;
const patience = 3;
const pause_seconds = 30;

// Taken now, before the page or this script replaces it.
const post = fetch;
const hide_actions = [];
// Waiting entries as [route, JSON text].
let queue = [];
let dropped = 0;
let failures = 0;
let pause = 0;
let timer;
let engine;
// What the script was loaded with: the token, where the engine asks for one.
let query;

export let script_url;

export const is_own = (url) => url.startsWith(engine);

// The action that was added last runs first.
export const before_hide = (action) => hide_actions.unshift(action);

const drop_oldest = () => {
  dropped += queue.splice(0, queue.length - queue_entries).length;
};

// Takes the oldest entries of a route that can go together.
const take_batch = (route) => {
  let room = batch_chars;
  const batch = queue
    .filter(([other, { length }]) => other == route && (room -= length) > -length)
    .slice(0, batch_entries);
  queue = queue.filter((item) => !batch.includes(item));
  return batch;
};

// Posts a batch. Resolves to the seconds until the next attempt: 0 when the engine has answered.
const send_batch = async () => {
  const [[route]] = queue;
  const batch = take_batch(route);
  const texts = batch.map(([, text]) => text);
  const list = /-(\w+s)$/.exec(route)?.[1] ?? "entries";
  let wait = Infinity;
  try {
    const { status, headers } = await post(`${engine}/${route}${query}`, {
      method: "POST",
      // A string goes out as text/plain, which needs no preflight.
      body: `{"page_url":${JSON.stringify(location.href)},"${list}":[${texts}]}`,
      credentials: "omit",
      keepalive: document.hidden,
      signal: AbortSignal.timeout(timeout_ms),
    });
    if (status == 429) wait = +headers.get("retry-after") || 1;
    else if (status < 500) wait = 0;
  } catch {}
  if (wait && engine) queue.unshift(...batch);
  return wait;
};

const flush = async () => {
  const waits = [0];
  // After a failure one batch asks whether the engine is back.
  while (queue.length && (!failures || !waits[1])) waits.push(send_batch());
  const wait = Math.max(...(await Promise.all(waits)));
  failures = wait == Infinity ? failures + 1 : 0;
  pause = wait < Infinity ? wait : failures < patience ? failures : pause_seconds;
  drop_oldest();
  timer = queue.length && setTimeout(flush, pause * 1000 || batch_ms);
  if (dropped && !pause) {
    report("logs", {
      level: "warn",
      type: "console",
      message: `gasoline: ${dropped} entries lost`,
    });
    dropped = 0;
  }
};

// Queues an entry; its `url` is the page's where it has none of its own.
export const report = (route, entry) => {
  if (!engine) return;
  queue.push([route, JSON.stringify({ ts: new Date(), url: location.href, ...entry })]);
  drop_oldest();
  if (queue.length >= batch_entries && !pause) flush();
  else timer ||= setTimeout(flush, batch_ms);
};

// A visible page that goes away is hidden first.
const on_visibility = quietly(() => {
  if (!document.hidden) return;
  for (const action of hide_actions) action();
  if (!pause) flush();
});

export const start_transport = (url) => {
  script_url = url;
  ({ origin: engine, search: query } = new URL(url));
  // Not while capturing: web-vitals has its last values ready only after that.
  addEventListener("visibilitychange", on_visibility);
  addEventListener("pagehide", on_visibility);
};

// For a page that forbids the way to the engine: each further attempt would only make noise.
export const stop_transport = () => {
  engine = "";
  queue = [];
};
