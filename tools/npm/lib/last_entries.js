import { Worker } from "node:worker_threads";
import { may_run } from "./engine.js";

const longest_ms = 1000;

// Sends entries before it returns, for a process that ends now and waits for nothing any more: a
// thread sends them meanwhile.
export const send_before_end = (entries) => {
  if (!entries.length || !may_run()) return;
  const done = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(new URL("./last_entries_thread.js", import.meta.url), {
    workerData: { done, entries },
    // Not what was preloaded into this process.
    execArgv: [],
    env: { ...process.env, NODE_OPTIONS: "" },
  });
  worker.on("error", () => {});
  worker.unref();
  Atomics.wait(done, 0, 0, longest_ms);
};
