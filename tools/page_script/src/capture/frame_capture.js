import { report_exception } from "./error_capture.js";
import { listen, watch_construction } from "../page_hooks.js";
import { script_url } from "../transport.js";

// Frames of this origin get the script when they have loaded; others are out of reach.
const watch_frame = ({ target: { contentDocument: inner, contentWindow } }) => {
  if (!inner || contentWindow["gasoline.js"]) return;
  const script = inner.createElement("script");
  script.crossOrigin = "";
  script.src = script_url;
  inner.documentElement.append(script);
  script.remove();
};

const watch_worker = (worker) =>
  listen(worker, "error", ({ message, filename, lineno, colno }) =>
    report_exception(message ?? "A worker did not load.", undefined, {
      frame: "worker",
      filename,
      lineno,
      colno,
    }),
  );

// Reports from frames of this origin, and what dedicated and shared workers do not catch. A worker
// that loads the script by itself says more.
export const capture_frames = () => {
  listen(document, "load", (event) => event.target.localName == "iframe" && watch_frame(event));
  for (const name of ["Worker", "SharedWorker"]) watch_construction(name, watch_worker);
};
