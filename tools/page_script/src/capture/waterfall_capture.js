import { report_mixed_content } from "./security_capture.js";
import { is_own, report } from "../transport.js";

const report_resource = ({ name, initiatorType, duration, startTime, transferSize }) => {
  if (is_own(name)) return;
  report_mixed_content(name);
  report("network-waterfall", {
    // When it ended: that is told later, after what the page made of the answer.
    ts: new Date(Date.now() - performance.now() + startTime + duration),
    name: name.replace(/[?#].*|.*\//g, ""),
    url: name,
    initiator_type: initiatorType,
    duration: Math.round(duration),
    start_time: Math.round(startTime),
    transfer_size: transferSize,
  });
};

// Reports every resource that the page loads, with its timing.
export const capture_waterfall = () =>
  new PerformanceObserver((list) => list.getEntries().forEach(report_resource)).observe({
    type: "resource",
    buffered: true,
  });
