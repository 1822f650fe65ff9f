// Sends entries to the engine in batches, and forgets them where none runs. It neither throws nor
// writes, and keeps no process alive.
import { find_engine, may_run, post_to } from "./engine.js";

const batch_ms = 20;
const most_waiting = 200;
const most_chars = 8000;

const cut = (text) => (text.length > most_chars ? `${text.slice(0, most_chars)} …` : text);

const bounded = (entry) =>
  Object.fromEntries(
    Object.entries(entry).map(([key, value]) => [key, typeof value == "string" ? cut(value) : value]),
  );

export const document_of = (entries) => JSON.stringify({ entries });

export const open_log_sender = () => {
  let waiting = [];
  let under_way = [];
  let lost = 0;
  let timer;

  const take = () => {
    const batch = waiting;
    waiting = [];
    if (lost) batch.push(loss(lost));
    lost = 0;
    return batch;
  };

  const flush = async () => {
    timer = undefined;
    under_way = take();
    const engine = await find_engine();
    if (engine) await post_to(engine, "/logs", document_of(under_way));
    under_way = [];
    if (waiting.length) flush_soon();
  };

  const flush_soon = () => {
    timer ??= setTimeout(() => flush().catch(() => {}), batch_ms).unref();
  };

  const send = (entry) => {
    if (!may_run()) return;
    if (waiting.length < most_waiting) waiting.push({ ts: new Date(), ...bounded(entry) });
    else lost++;
    if (!under_way.length) flush_soon();
  };

  // What has not been answered for yet, for a process that ends.
  const take_unsent = () => {
    clearTimeout(timer);
    const all = [...under_way, ...take()];
    under_way = [];
    return all;
  };
  return { send, take_unsent };
};

const loss = (count) => ({
  ts: new Date(),
  level: "warn",
  type: "console",
  message: `gasoline: ${count} entries lost`,
});
