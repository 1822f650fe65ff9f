// A program that is stopped as by Ctrl-Z.
import { readdirSync, readFileSync } from "node:fs";

import { wait_until } from "./deadline.mjs";

const state_of = (task) => {
  try {
    const stat = readFileSync(`${task}/stat`, "utf8");
    return stat[stat.lastIndexOf(")") + 2];
  } catch {
    return "X"; // it has ended
  }
};

// Its threads run on for a moment behind the signal, and might still serve somebody.
export const pause_process = async (pid) => {
  process.kill(pid, "SIGSTOP");
  const tasks = `/proc/${pid}/task`;
  await wait_until(
    () => readdirSync(tasks).every((id) => "TtXZ".includes(state_of(`${tasks}/${id}`))),
    () => `process ${pid} was not stopped`,
  );
};
