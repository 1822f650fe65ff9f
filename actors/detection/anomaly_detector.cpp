#include "actors/detection/anomaly_detector.hpp"

#include "actors/alerts/raise_alerts.hpp"
#include "actors/base/exception_guard.hpp"
#include "actors/detection/direct_alert.hpp"

#include <algorithm>
#include <utility>

namespace gasoline {
namespace {

using anomaly_detector_pointer = anomaly_detector_actor::stateful_pointer<anomaly_detector_state>;

/// The events of one batch that count towards a spike.
struct batch_counts {
  std::uint64_t errors = 0;
  std::uint64_t failures = 0;
};

// Answers whether the page had not been told yet.
bool remember_hint(anomaly_detector_state& state, const std::string& key) {
  if (std::find(state.hinted.begin(), state.hinted.end(), key) != state.hinted.end())
    return false;
  if (state.hinted.size() >= state.limit.detection.baseline_pages)
    state.hinted.pop_front();
  state.hinted.push_back(key);
  return true;
}

void count(anomaly_detector_state& state, batch_counts& counts, const event& e) {
  if (e.noise == noise_mark::hint)
    return;
  const std::uint64_t occurrences = std::max<std::uint32_t>(e.count, 1);
  if (is_error_entry(e)) {
    counts.errors += occurrences;
    state.last_error = e.message.shortened(state.limit.alert.title_bytes);
  } else if (is_failed_exchange(e) || is_abnormal_close(e)) {
    counts.failures += occurrences;
    state.last_failure = e.url.shortened(state.limit.alert.url_bytes);
  }
}

void take_event(anomaly_detector_state& state, batch_counts& counts, const event& e) {
  if (e.noise == noise_mark::noise || !may_alert(e))
    return;
  count(state, counts, e);
  auto a = direct_alert(e, state.limit);
  if (!a || (e.noise == noise_mark::hint && !remember_hint(state, a->dedup_key.str())))
    return;
  state.fold.add(std::move(*a));
}

redacted_text spike_detail(const spike& s, std::uint64_t window_s, std::uint64_t history_s) {
  auto detail =
      redacted(s.recent, literal{" in the last "}, window_s, literal{" s, against an average of "});
  detail.append_decimal(s.average);
  detail +=
      redacted(literal{" per "}, window_s, literal{" s in the "}, history_s, literal{" s before."});
  return detail;
}

alert spike_alert(const anomaly_detector_state& state, const spike& s, alert_topic kind) {
  const auto window_s = state.limit.detection.anomaly_window_ms / 1000;
  const bool network = kind == alert_topic::network_errors;
  const auto& last = network ? state.last_failure : state.last_error;
  alert a;
  a.category = alert_category::anomaly;
  a.kind = kind;
  a.level = s.level;
  a.source = literal{"anomaly_detector"};
  if (network) {
    a.title = redacted(literal{"Network failure spike: "}, s.recent, literal{" failures in "},
                       window_s, literal{" s"});
    a.dedup_key = literal{"spike:network_errors"};
    a.next = literal{R"(observe {"what":"network_bodies","status_min":400})"};
  } else {
    a.title = redacted(literal{"Error frequency spike: "}, s.recent, literal{" errors in "},
                       window_s, literal{" s"});
    a.dedup_key = literal{"spike:errors"};
    a.next = literal{R"(observe {"what":"errors"})"};
  }
  a.detail = spike_detail(s, window_s, state.limit.detection.anomaly_history_ms / 1000);
  if (!last.empty())
    a.detail += redacted(literal{" The last one: "}, last);
  a.detail = a.detail.shortened(state.limit.alert.detail_bytes);
  a.page_data = !last.empty();
  if (network)
    a.url = last;
  return a;
}

void check_spike(anomaly_detector_state& state, error_spike& counter, std::uint64_t events,
                 alert_topic kind, mono_time now, std::vector<alert>& alerts) {
  if (events == 0)
    return;
  const auto found = counter.add(now, events);
  if (!found)
    return;
  ++state.spikes;
  alerts.push_back(spike_alert(state, *found, kind));
}

void take_batch(anomaly_detector_state& state, const event_batch& batch, mono_time now) {
  batch_counts counts;
  for (const auto& e : batch.events)
    take_event(state, counts, *e);
  state.errors_seen += counts.errors;
  state.failures_seen += counts.failures;
  auto alerts = state.fold.take();
  check_spike(state, state.errors, counts.errors, alert_topic::errors, now, alerts);
  check_spike(state, state.failures, counts.failures, alert_topic::network_errors, now, alerts);
  state.alerts_raised += alerts.size();
  raise_alerts(state.hub, state.clock, std::move(alerts), now, batch.ticket);
}

health_part health(const anomaly_detector_state& state) {
  return std::make_shared<const nlohmann::json>(nlohmann::json{
      {"detector",
       {{"errors", state.errors_seen},
        {"network_failures", state.failures_seen},
        {"spikes", state.spikes},
        {"alerts", state.alerts_raised}}},
      {"dropped", {{"alerts_beyond_batch_cap", state.fold.dropped()}}},
  });
}

} // namespace

anomaly_detector_actor::behavior_type anomaly_detector(anomaly_detector_pointer self,
                                                       alert_hub_actor hub, wall_clock clock,
                                                       limits limit) {
  auto& state = self->state;
  state.hub = std::move(hub);
  state.clock = std::move(clock);
  state.limit = limit;
  state.errors = error_spike{limit};
  state.failures = error_spike{limit};
  state.fold = batch_alerts{limit.push.pending + 1};
  guard_exceptions(self);
  return {
      [self](health_atom) { return health(self->state); },
      [self](batch_atom, const event_batch_ptr& batch) {
        take_batch(self->state, *batch, self->clock().now());
      },
  };
}

} // namespace gasoline
