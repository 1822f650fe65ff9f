import { workerData } from "node:worker_threads";
import { find_engine, post_to } from "./engine.js";
import { document_of } from "./log_sender.js";

const { done, entries } = workerData;

const send = async () => {
  const engine = await find_engine();
  if (engine) await post_to(engine, "/logs", document_of(entries));
};

// An unanswered request alone would let this thread end.
const stay = setInterval(() => {}, 1000);
send()
  .catch(() => {})
  .finally(() => {
    clearInterval(stay);
    Atomics.store(done, 0, 1);
    Atomics.notify(done, 0);
  });
