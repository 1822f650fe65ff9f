// A terminal that nobody looks at: a shell in a tmux server of its own.
import { execFileSync } from "node:child_process";

import { wait_until } from "./deadline.mjs";

const has_tmux = () => {
  try {
    execFileSync("tmux", ["-V"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};

// What a test is given that needs it.
export const needs_tmux = { skip: has_tmux() ? false : "tmux is not installed" };

let terminals = 0;

export class tmux_terminal {
  #socket = `gasoline-${process.pid}-${(terminals += 1)}`;

  constructor(directory, { columns = 100, rows = 40 } = {}) {
    this.#tmux(
      ["-f", "/dev/null", "new-session", "-d", "-s", "t", "-x", columns, "-y", rows, "-c", directory, "sh"],
      { ...process.env, TERM: "xterm-256color", PS1: "ready> ", ENV: "", LC_ALL: "C.UTF-8" },
    );
    this.#tmux(["set-option", "-g", "history-limit", "10000"]);
  }

  #tmux(args, env = process.env) {
    return execFileSync("tmux", ["-u", "-L", this.#socket, ...args.map(String)], {
      env,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  }

  // All that was written so far, as it stands on the screen and above it.
  get text() {
    return this.#tmux(["capture-pane", "-p", "-J", "-S", "-", "-t", "t"]).trimEnd();
  }

  type(text) {
    this.#tmux(["send-keys", "-t", "t", "-l", text]);
  }

  // A key by the name it has in tmux, such as `Enter` or `C-c`.
  press(key) {
    this.#tmux(["send-keys", "-t", "t", key]);
  }

  run(command) {
    this.type(command);
    this.press("Enter");
  }

  // Waits until the text stands there that many times.
  shows(text, times = 1) {
    return wait_until(
      () => this.text.split(text).length > times,
      () => `no "${text}" (${times}) in: ${this.text.slice(-1_500)}`,
      { every: 50 },
    );
  }

  close() {
    this.#tmux(["kill-server"]);
  }
}
