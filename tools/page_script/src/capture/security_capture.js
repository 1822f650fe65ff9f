import { listen } from "../page_hooks.js";
import { report_log } from "../log_entry.js";
import { page_id } from "../page_life.js";
import { is_own, stop_transport } from "../transport.js";

const report_security = (message, violated_directive, blocked_url, more) =>
  report_log("warn", "security", message, { page_id, violated_directive, blocked_url, ...more });

// Reports `url` when it is insecure content of a secure page.
export const report_mixed_content = (url) => {
  const insecure = /^(http|ws):..(?!localhost|127\.|\[::1])/.test(url);
  if (insecure && location.protocol == "https:") {
    report_security(`Mixed content: ${url}`, "mixed-content", url);
  }
};

// Reports what the page's content security policy blocks.
export const capture_violations = () =>
  listen(document, "securitypolicyviolation", (event) => {
    const { blockedURI, effectiveDirective, disposition, sourceFile } = event;
    if (is_own(blockedURI)) return disposition == "enforce" && stop_transport();
    report_security(
      `CSP: ${blockedURI} violates ${effectiveDirective}`,
      effectiveDirective,
      blockedURI,
      {
        disposition,
        filename: sourceFile,
        lineno: event.lineNumber,
        colno: event.columnNumber,
      },
    );
  });
