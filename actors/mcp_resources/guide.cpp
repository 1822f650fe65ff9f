#include "actors/mcp_resources/guide.hpp"

namespace gasoline {

namespace {

constexpr std::string_view observe_name = "observe";

constexpr std::string_view opening = R"(# Gasoline

Gasoline stands between the software being built and you. Telemetry comes in from browsers, CI and
processes; the engine works out what matters and tells you once, redacted, in few tokens.

## See what is broken
)";

constexpr std::string_view how_to = R"(
Filters: `url` (text in the URL), `origin` (page, process, sentry, otlp, ci, report), `service`,
`min_level`, `status_min`, `since` (a time, or 30s, 5m, 2h), `limit`, `cursor` (older entries), `max_bytes`, `include_noise`. Identical entries are shown once
with a `count`. Secrets are masked as `[REDACTED]` or `[REDACTED:kind]`.

## Be told
- Unread alerts are attached to every observe result as a second block: `--- ALERTS (n) ---`.
- `observe {"what":"alerts","wait_seconds":30}` answers as soon as something unread is there.
- `configure {"action":"streaming","streaming_action":"enable"}` pushes them as
  `notifications/message`, logger `gasoline`. `events` chooses what (errors, network_errors,
  performance, security, ci, regression, anomaly, all), `severity_min` how bad, `throttle_seconds`
  how often (1 to 60, default 5), `url_filter` where. At most 12 notifications leave in any 60 s;
  the same alert not twice in 30 s; what waits leaves together.
- `streaming_action` `disable` stops at once, `status` counts.

## Keep it quiet
- `configure {"action":"noise_rule","noise_action":"add","pattern":"legacy-widget"}` hides what
  matches, errors included; `auto_detect` proposes rules from repeats; `list`, `remove`, `reset` manage them.
- `configure {"action":"clear"}` starts reading from now. It deletes nothing.
- `configure {"action":"health"}` shows buffers, sources, drops and limits.

)";

constexpr std::string_view rest = R"(## Resources and prompts
- `gasoline://alerts`, `gasoline://errors`, `gasoline://ci`, `gasoline://health`: the same as JSON
  documents; `gasoline://alerts/{id}`: one alert with the events around it. Alerts that
  were read here are not told again.
- Prompts: `triage` (what is broken right now), `explain_alert` (one alert with its evidence),
  `fix_and_verify` (from one alert to the proof that it is gone), `review_before_merge`.

## Is it fixed?
`configure {"action":"mark","name":"before_fix"}`; make the fault come again; change the code; load the
page anew and do the same; `analyze {"what":"diff"}`. It says fixed only of what was tried again.

## Send telemetry
- Page: `<script src="http://localhost:7890/gasoline.js"></script>`
- CI: `POST /ci-result` with `{"status":"failure","source":"github-actions","ref":"main",
  "commit":"abc123","summary":"2 failed"}`
)";

/// One line for each thing that the tool does.
std::string mode_lines(const mcp_tool& tool) {
  std::string out;
  for (const auto& mode : tool.modes) {
    out.append("- `").append(tool.shown.name).append(" {\"").append(mode.selector);
    out.append("\":\"").append(mode.name).append("\"}`: ").append(mode.about).append(".\n");
  }
  return out;
}

/// What the other tools do, one section each.
std::string other_tools(const std::vector<mcp_tool>& tools) {
  std::string out;
  for (const auto& tool : tools)
    if (!tool.modes.empty() && tool.shown.name != observe_name)
      out.append("## All of ").append(tool.shown.name).append("\n").append(mode_lines(tool)) +=
          '\n';
  return out;
}

} // namespace

std::string guide_text(const std::vector<mcp_tool>& tools) {
  std::string out{opening};
  for (const auto& tool : tools)
    if (tool.shown.name == observe_name)
      out += mode_lines(tool);
  out += how_to;
  out += other_tools(tools);
  out += rest;
  return out;
}

} // namespace gasoline
