// Carries entries to the engine in batches, and is silent when the engine is away.
//
//   line       event                                       next
//   untried    a batch is answered                         open; until then one post at a time
//   open       no answer, or 5xx                           away: 1 s, 2 s, then 30 s each time
//   open       429                                         away for as long as the engine says
//   open       401, 403: this page may not send            away for 60 s; the console is told, once
//   away       its time is over                            asking, with an empty batch
//   asking     as for open: no answer, 5xx, 4xx of these   away
//   asking     any other answer                            open
//   any        the page's policy forbids to send           shut; the console is told, once
//
// What happens to the entries of a batch is written down in entry_queue.js.
import { open_queue } from "./entry_queue.js";
import { frame, page_address, watch_hiding } from "./page_life.js";

const full_entries = 50;
const batch_entries = 500;
const batch_chars = 2e5;
// Requests that outlive their page may have 64 KiB of UTF-8 together, others of the page included.
const last_batch_chars = 2e4;
const keepalive_bytes = 6e4;
const large_bytes = 65536;
const posts_at_once = 6;
const batch_ms = 100;
const idle_ms = 100;
const timeout_ms = 1e4;
const asks_soon = 3;
const ask_seconds = 30;
const refused_seconds = 60;

// Taken now, before the page or this script replaces them.
const post = fetch;
const later = setTimeout;
const warn = console.warn.bind(console);
const queue = open_queue();

let line = "untried";
let failures = 0;
let posts = 0;
let keepalive_used = 0;
let batch_timer;
// Whether that timer is set for at once.
let is_due = false;
let ask_timer;
let is_told = false;
let engine;
// What the script was loaded with: the token, where the engine asks for one.
let query;

export let script_url;

export const is_own_origin = (origin) => origin == engine;

// Whether an address is the engine's own.
export const is_own = (url) => {
  try {
    return is_own_origin(new URL(url).origin);
  } catch {
    return false;
  }
};

const tell_console = (text) => {
  if (!is_told) warn(`gasoline: ${text}`);
  is_told = true;
};

const compress = (body) =>
  new Response(new Response(body).body.pipeThrough(new CompressionStream("gzip"))).blob();

const send = async (route, options) => {
  const ending = new AbortController();
  const deadline = later(() => ending.abort(), timeout_ms);
  try {
    return await post(`${engine}/${route}${query}`, {
      method: "POST",
      credentials: "omit",
      signal: ending.signal,
      ...options,
    });
  } catch {
    return undefined;
  } finally {
    clearTimeout(deadline);
  }
};

const bytes_of = (text) => new TextEncoder().encode(text).length;

// Posts a body. Resolves to the answer, or to nothing when there is none. A text goes out as
// text/plain, which needs no preflight.
const send_body = async (route, body) => {
  if (!globalThis.CompressionStream || bytes_of(body) < large_bytes) return send(route, { body });
  const headers = { "Content-Encoding": "gzip", "Content-Type": "text/plain" };
  return send(route, { body: await compress(body), headers });
};

// The same for a page that may be gone in the next moment.
const send_last_body = async (route, body) => {
  const bytes = bytes_of(body);
  if (keepalive_used + bytes > keepalive_bytes) return send(route, { body });
  keepalive_used += bytes;
  const answer = await send(route, { body, keepalive: true });
  keepalive_used -= bytes;
  // The page itself may have used up what there is for such requests.
  return answer ?? send(route, { body });
};

// In how many seconds to ask again: 0 when the engine takes more.
const wait_after = (answer) => {
  if (!answer || answer.status > 499) return Infinity;
  const { status, headers } = answer;
  if (status == 429) return +headers.get("retry-after") || 1;
  if (status != 401 && status != 403) return 0;
  tell_console(
    `${engine} refuses this page (${status}): its allowed_origins lack "${location.origin}"`,
  );
  return refused_seconds;
};

const go_away = (seconds) => {
  line = "away";
  failures++;
  const asks_in = failures < asks_soon ? failures : ask_seconds;
  ask_timer = later(ask, (seconds < Infinity ? seconds : asks_in) * 1000);
};

const tell_lost = () => {
  const count = queue.take_lost();
  const message = `gasoline: ${count} entries lost`;
  if (count) report("logs", { level: "warn", type: "console", message }, count);
};

const open_line = () => {
  line = "open";
  failures = 0;
};

const ask = async () => {
  line = "asking";
  const wait = wait_after(await send_body("logs", '{"entries":[]}'));
  if (line == "shut") return;
  queue.judge_suspects(!wait);
  if (wait) return go_away(wait);
  open_line();
  send_waiting();
  tell_lost();
};

const settle = (batch, answer) => {
  if (line == "shut") return;
  const wait = wait_after(answer);
  const is_up = line == "untried" || line == "open";
  if (wait == Infinity) queue.put_back_suspects(batch);
  else if (wait) queue.put_back(batch);
  else if (answer.status > 299) queue.put_back_refused(batch);
  if (wait && is_up) go_away(wait);
  if (wait) return;
  if (answer.status < 300) tell_lost();
  if (line != "untried") return;
  open_line();
  send_waiting();
};

const send_batch = async (batch, send_with) => {
  const [{ route }] = batch;
  const list = /-(\w+s)$/.exec(route)?.[1] ?? "entries";
  const page_url = JSON.stringify(page_address());
  const texts = batch.map(({ text }) => text).join();
  posts++;
  const answer = await send_with(route, `{"page_url":${page_url},"${list}":[${texts}]}`);
  posts--;
  settle(batch, answer);
  wake();
};

const may_send = () => posts < { open: posts_at_once, untried: 1 }[line];

const send_waiting = () => {
  clearTimeout(batch_timer);
  batch_timer = undefined;
  is_due = false;
  while (queue.length && may_send())
    send_batch(queue.take_batch(batch_entries, batch_chars), send_body);
};

// What leaves now is all that may ever leave.
const send_last = () => {
  while (queue.length && (line == "untried" || line == "open"))
    send_batch(queue.take_batch(full_entries, last_batch_chars), send_last_body);
};

const when_idle = (action) =>
  globalThis.requestIdleCallback && !globalThis.document?.hidden
    ? requestIdleCallback(action, { timeout: idle_ms })
    : action();

// Sends soon what waits, at once when it is much.
const wake = () => {
  if (!queue.length || !may_send()) return;
  const is_full = queue.length >= full_entries;
  if (is_full && !is_due) clearTimeout(batch_timer);
  if (is_full > is_due || !batch_timer)
    batch_timer = later(() => when_idle(send_waiting), is_full ? 0 : batch_ms);
  is_due ||= is_full;
};

// Queues an entry; its `url` is the page's where it has none of its own. `worth` is how many are
// lost with it.
export const report = (route, entry, worth = 1) => {
  if (!engine || line == "shut") return;
  queue.add(route, JSON.stringify({ ts: new Date(), url: page_address(), frame, ...entry }), worth);
  wake();
};

export const start_transport = (url) => {
  script_url = url;
  ({ origin: engine, search: query } = new URL(url));
  watch_hiding(send_last);
};

// For a page that forbids the way to the engine: each further attempt would only make noise.
export const stop_transport = () => {
  line = "shut";
  clearTimeout(ask_timer);
  queue.clear();
  tell_console(`the policy of this page blocks sending, it lacks connect-src ${engine}`);
};
