#include "actors/ingest/formats/format_table.hpp"

#include "actors/ingest/formats/actions.hpp"
#include "actors/ingest/formats/browser_reports.hpp"
#include "actors/ingest/formats/ci.hpp"
#include "actors/ingest/formats/ci_buildkite.hpp"
#include "actors/ingest/formats/ci_circleci.hpp"
#include "actors/ingest/formats/ci_github.hpp"
#include "actors/ingest/formats/ci_gitlab.hpp"
#include "actors/ingest/formats/ci_jenkins.hpp"
#include "actors/ingest/formats/logs.hpp"
#include "actors/ingest/formats/network_bodies.hpp"
#include "actors/ingest/formats/network_waterfall.hpp"
#include "actors/ingest/formats/otlp_logs.hpp"
#include "actors/ingest/formats/otlp_metrics.hpp"
#include "actors/ingest/formats/otlp_traces.hpp"
#include "actors/ingest/formats/performance.hpp"
#include "actors/ingest/formats/sentry.hpp"
#include "actors/ingest/formats/sentry_store.hpp"
#include "actors/ingest/formats/websocket_events.hpp"

#include <algorithm>
#include <array>

namespace gasoline {
namespace {

constexpr std::array formats{
    &logs_format,
    &network_bodies_format,
    &network_waterfall_format,
    &websocket_events_format,
    &actions_format,
    &performance_format,
    &ci_format,
    &sentry_format,
    &sentry_store_format,
    &browser_reports_format,
    &otlp_logs_format,
    &otlp_traces_format,
    &otlp_metrics_format,
    &ci_github_format,
    &ci_gitlab_format,
    &ci_jenkins_format,
    &ci_circleci_format,
    &ci_buildkite_format,
};

} // namespace

std::span<const ingest_format* const> ingest_formats() {
  return formats;
}

const ingest_format* find_format(std::string_view name) {
  const auto found = std::find_if(formats.begin(), formats.end(),
                                  [&](const ingest_format* f) { return f->route.format == name; });
  return found == formats.end() ? nullptr : *found;
}

const ingest_format& format_recording(telemetry_kind kind) {
  const auto found = std::find_if(formats.begin(), formats.end(), [&](const ingest_format* f) {
    return f->recorded && f->recorded->kind == kind;
  });
  return found == formats.end() ? *formats.front() : **found;
}

std::vector<ingest_route> ingest_routes() {
  std::vector<ingest_route> out;
  for (const auto* format : formats)
    out.push_back(format->route);
  return out;
}

} // namespace gasoline
