#include "actors/detection/anomaly_detector.hpp"

#include "actors/alerts/raise_alerts.hpp"
#include "actors/base/exception_guard.hpp"
#include "actors/base/redacted_part.hpp"
#include "actors/base/url_pieces.hpp"
#include "actors/detection/direct_alert.hpp"
#include "actors/detection/fault/event_marks.hpp"
#include "actors/detection/fault/fault_key.hpp"
#include "actors/detection/fault/logged_fault.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace gasoline {
namespace {

using namespace std::chrono_literals;
using anomaly_detector_pointer = anomaly_detector_actor::stateful_pointer<anomaly_detector_state>;

/// How often a spike is looked at for its end when nothing arrives.
constexpr auto spike_look = 5s;

/// Events of one batch that count towards a spike.
struct batch_count {
  std::uint64_t all = 0;
  std::uint64_t untold = 0; ///< told by no alert of their own
};

struct batch_counts {
  batch_count errors;
  batch_count failures;
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

causal_rank rank_of(const event& e) {
  if (e.kind != telemetry_kind::log || e.type == entry_type::network)
    return causal_rank::request;
  if (e.type == entry_type::security)
    return causal_rank::policy;
  switch (logged_fault_in(e)) {
  case logged_fault::build:
    return causal_rank::build;
  case logged_fault::hydration:
    return causal_rank::hydration;
  case logged_fault::report:
    return causal_rank::report;
  case logged_fault::error:
  case logged_fault::graphql:
  case logged_fault::none:
    break;
  }
  return causal_rank::error;
}

redacted_text origin_of_page(const event& e) {
  const auto& page = page_address(e);
  return part_of(page, take_apart(page.view()).origin);
}

alert evidence_for(const redacted_text& lead, std::vector<redacted_text> lines) {
  alert a;
  a.update = true;
  a.dedup_key = lead;
  a.also = std::move(lines);
  return a;
}

/// What one event adds to the batch's counts, and whether an alert tells of it.
void count(spike_watch& watch, batch_count& counts, const event& e, const redacted_text& told_key) {
  const std::uint64_t occurrences = std::max<std::uint32_t>(e.count, 1);
  counts.all += occurrences;
  if (told_key.empty())
    counts.untold += occurrences;
  else
    watch.last_told_key = told_key;
}

void count(anomaly_detector_state& state, batch_counts& counts, const event& e,
           const redacted_text& told_key) {
  if (is_error_entry(e)) {
    count(state.errors, counts.errors, e, told_key);
    state.errors.last = e.message.shortened(state.limit.alert.title_bytes);
  } else if (is_failed_exchange(e) || is_abnormal_close(e)) {
    count(state.failures, counts.failures, e, told_key);
    state.failures.last = e.url.shortened(state.limit.alert.url_bytes);
  }
}

// A line of text, or the repetition of what was told: evidence where it belongs to a fault, else
// what spikes are made of.
void take_line(anomaly_detector_state& state, batch_counts& counts, const event& e, mono_time now) {
  if (!state.causes.empty() && is_error_entry(e)) {
    alert line;
    line.title = part_of(e.message, first_line(e.message.view()));
    const auto lead = state.causes.lead_of(trace_of(e, marks_of(e), causal_rank::line, line), now);
    if (!lead.empty()) {
      ++state.joined;
      state.fold.add(evidence_for(lead, {line.title}));
      return;
    }
  }
  if (!e.echo)
    count(state, counts, e, {});
}

void remember_noise(anomaly_detector_state& state, const event& e, mono_time now) {
  if (e.status > 0 || !is_failed_exchange(e))
    return;
  const auto marks = marks_of(e);
  if (!marks.page_id.empty())
    return;
  alert a;
  a.dedup_key = request_key(e, state.limit.alert.key_bytes);
  if (state.causes.repeat(a.dedup_key, e.kind, now))
    return;
  auto fault = trace_of(e, marks, causal_rank::request, a);
  fault.noise = true;
  state.causes.judge(std::move(fault), now);
}

// Whether the alert is to be raised; false when it became evidence, or nothing.
bool judge(anomaly_detector_state& state, const event& e, alert& a, mono_time now) {
  auto verdict = state.causes.repeat(a.dedup_key, e.kind, now);
  if (!verdict)
    verdict = state.causes.judge(trace_of(e, marks_of(e), rank_of(e), a), now);
  if (verdict->leads) {
    a.effects = std::move(verdict->effects);
    a.also = std::move(verdict->also);
    return true;
  }
  ++state.joined;
  if (verdict->is_new && !verdict->is_noise && verdict->lead != a.dedup_key)
    state.fold.add(evidence_for(verdict->lead, {a.title}));
  return false;
}

// Whether the failure is news; else it updates what was told, or is nothing.
bool judge_build(anomaly_detector_state& state, const event& e, alert& a, mono_time now) {
  const auto file = build_file(e);
  const auto name = part_of(file, file.view().substr(file.view().rfind('/') + 1));
  const bool marked = e.build == build_state::failed;
  switch (state.builds.failed({a.dedup_key, name, origin_of_page(e), marked}, now)) {
  case build_watch::news::broken:
    return true;
  case build_watch::news::still_broken:
    a.update = true;
    return true;
  case build_watch::news::stale:
    break;
  }
  return false;
}

void take_fault(anomaly_detector_state& state, batch_counts& counts, const event& e, alert a,
                mono_time now) {
  if (e.status == 401 && session_checks::is_check(e)) {
    const auto meaning = state.checks.refused(e);
    if (meaning == session_checks::meaning::repeated_question)
      return;
    if (meaning == session_checks::meaning::first_question) {
      a.level = severity::info;
      a.detail += "\nNo session yet, it seems: this path has never answered otherwise.";
      state.fold.add(std::move(a));
      return;
    }
  }
  const auto key = a.dedup_key;
  if (!judge(state, e, a, now))
    return;
  if (rank_of(e) == causal_rank::build && !judge_build(state, e, a, now))
    return;
  count(state, counts, e, key);
  state.fold.add(std::move(a));
}

std::uint32_t number_in(std::string_view digits) {
  std::uint32_t out = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), out);
  return out;
}

void take_socket(anomaly_detector_state& state, batch_counts& counts, const event& e,
                 mono_time now) {
  if (e.name.view() == "open") {
    for (auto& a : state.sockets.opened(socket_address(e), now))
      state.fold.add(std::move(a));
    return;
  }
  if (!may_alert(e))
    return;
  auto a = direct_alert(e, state.limit);
  if (!a)
    return;
  if (!may_reconnect(e)) {
    count(state, counts, e, a->dedup_key);
    state.fold.add(std::move(*a));
    return;
  }
  const auto attempt = number_in(marks_of(e).attempt);
  for (auto& told : state.sockets.lost(socket_address(e), std::move(*a), attempt, now))
    state.fold.add(std::move(told));
}

void end_builds(anomaly_detector_state& state, const event& e, mono_time now) {
  for (const auto& key : state.builds.passed(origin_of_page(e), now)) {
    alert a;
    a.category = alert_category::anomaly;
    a.kind = alert_topic::errors;
    a.level = severity::info;
    a.page_data = true;
    a.source = literal{"anomaly_detector"};
    a.title = e.message.empty() ? redacted_text{literal{"The build passes again"}}
                                : part_of(e.message, first_line(e.message.view()));
    a.url = page_address(e);
    a.ends = key;
    a.dedup_key = ending_key(key);
    state.fold.add(std::move(a));
  }
}

void take_event(anomaly_detector_state& state, batch_counts& counts, const event& e,
                mono_time now) {
  if (e.noise == noise_mark::noise) {
    remember_noise(state, e, now);
    return;
  }
  if (e.kind == telemetry_kind::socket) {
    take_socket(state, counts, e, now);
    return;
  }
  if (e.build == build_state::passed)
    end_builds(state, e, now);
  if (!may_alert(e)) {
    if (e.status >= 200 && e.status < 300 && session_checks::is_check(e))
      state.checks.answered(e);
    return;
  }
  if (e.noise == noise_mark::hint) {
    auto a = direct_alert(e, state.limit);
    if (a && remember_hint(state, a->dedup_key.str()))
      state.fold.add(std::move(*a));
    return;
  }
  auto a = e.echo ? std::nullopt : direct_alert(e, state.limit);
  if (a)
    take_fault(state, counts, e, std::move(*a), now);
  else
    take_line(state, counts, e, now);
}

redacted_text spike_title(const spike_watch& watch, const spike& s, std::uint64_t window_s) {
  const bool network = watch.kind == alert_topic::network_errors;
  redacted_text title =
      network ? literal{"Network failure spike: "} : literal{"Error frequency spike: "};
  title += s.untold;
  if (s.untold < s.recent)
    title += " more";
  title += network ? literal{" failures in "} : literal{" errors in "};
  title += redacted(window_s, literal{" s"});
  return title;
}

redacted_text spike_detail(const spike& s, std::uint64_t window_s, std::uint64_t history_s) {
  auto detail =
      redacted(s.recent, literal{" in the last "}, window_s, literal{" s, against an average of "});
  detail.append_decimal(s.average);
  detail +=
      redacted(literal{" per "}, window_s, literal{" s in the "}, history_s, literal{" s before."});
  if (s.untold < s.recent)
    detail += redacted(literal{" "}, s.recent - s.untold,
                       literal{" of them were told by alerts of their own."});
  return detail;
}

alert spike_alert(const anomaly_detector_state& state, const spike_watch& watch, const spike& s) {
  const auto window_s = state.limit.detection.anomaly_window_ms / 1000;
  const bool network = watch.kind == alert_topic::network_errors;
  alert a;
  a.category = alert_category::anomaly;
  a.kind = watch.kind;
  a.level = s.level;
  a.source = literal{"anomaly_detector"};
  a.title = spike_title(watch, s, window_s);
  a.dedup_key = network ? literal{"spike:network_errors"} : literal{"spike:errors"};
  a.next = network ? literal{R"(observe {"what":"network_bodies","status_min":400})"}
                   : literal{R"(observe {"what":"errors"})"};
  a.detail = spike_detail(s, window_s, state.limit.detection.anomaly_history_ms / 1000);
  if (!watch.last.empty())
    a.detail += redacted(literal{" The last one: "}, watch.last);
  a.detail = a.detail.shortened(state.limit.alert.detail_bytes);
  a.page_data = !watch.last.empty();
  if (network)
    a.url = watch.last;
  return a;
}

// Whether what no other alert told is worth one.
bool deserves_alert(const anomaly_detector_state& state, const spike& s) {
  return s.untold >= state.limit.detection.anomaly_min_events || 2 * s.untold >= s.recent;
}

void end_spike(spike_watch& watch, mono_time now, std::vector<alert>& alerts) {
  if (!watch.alerted || watch.rate.lasting())
    return;
  watch.alerted = false;
  const bool network = watch.kind == alert_topic::network_errors;
  alert a;
  a.update = true; // what the alert said is over; nobody needs another one
  a.category = alert_category::anomaly;
  a.kind = watch.kind;
  a.level = watch.level;
  a.source = literal{"anomaly_detector"};
  a.title = network ? literal{"Network failure spike is over: "}
                    : literal{"Error frequency spike is over: "};
  a.title += redacted(watch.total, literal{" in "},
                      std::chrono::duration_cast<std::chrono::seconds>(now - watch.began).count(),
                      literal{" s"});
  a.ends = network ? literal{"spike:network_errors"} : literal{"spike:errors"};
  a.dedup_key = a.ends;
  alerts.push_back(std::move(a));
}

// What is told must not be stale when it leaves, so a spike that grows is told anew to whoever has
// not been told.
void follow_spike(anomaly_detector_state& state, spike_watch& watch, const spike& s,
                  std::vector<alert>& alerts) {
  if (!watch.alerted && !deserves_alert(state, s))
    return;
  if (watch.alerted && s.untold <= watch.shown)
    return;
  auto a = spike_alert(state, watch, s);
  a.update = watch.alerted;
  watch.alerted = true;
  watch.level = s.level;
  watch.shown = s.untold;
  alerts.push_back(std::move(a));
}

// Every one of its events was told: the newest fault among them says so.
void add_spike_evidence(const anomaly_detector_state& state, const spike_watch& watch,
                        const spike& s, std::vector<alert>& alerts) {
  const bool network = watch.kind == alert_topic::network_errors;
  const auto line = redacted(
      network ? literal{"Network failure spike: "} : literal{"Error frequency spike: "}, s.recent,
      literal{" in "}, state.limit.detection.anomaly_window_ms / 1000, literal{" s"});
  const auto fault = std::find_if(alerts.begin(), alerts.end(), [&](const alert& a) {
    return a.dedup_key == watch.last_told_key;
  });
  if (fault == alerts.end())
    alerts.push_back(evidence_for(watch.last_told_key, {line}));
  else
    fault->also.push_back(line);
}

void check_spike(anomaly_detector_state& state, spike_watch& watch, const batch_count& counts,
                 mono_time now, std::vector<alert>& alerts) {
  watch.rate.pass(now);
  end_spike(watch, now, alerts);
  if (counts.all == 0)
    return;
  const auto begun = watch.rate.add(now, counts.all, counts.untold);
  if (begun) {
    ++state.spikes;
    watch.began = now;
    watch.total = begun->recent;
    watch.alerted = false;
    if (!deserves_alert(state, *begun) && !watch.last_told_key.empty())
      add_spike_evidence(state, watch, *begun, alerts);
  } else {
    watch.total += counts.all;
  }
  if (const auto s = watch.rate.lasting())
    follow_spike(state, watch, *s, alerts);
}

void keep_time(anomaly_detector_pointer self, mono_time now) {
  auto& state = self->state;
  auto at = state.sockets.next();
  if (state.errors.alerted || state.failures.alerted)
    at = at ? std::min(*at, now + spike_look) : now + spike_look;
  if (!at || (state.tick_at && *state.tick_at <= *at))
    return;
  state.tick_at = at;
  self->delayed_send(self, std::max<mono_time::duration>(*at - now, 1ms), tick_atom_v);
}

void raise(anomaly_detector_pointer self, const batch_counts& counts, mono_time now,
           const ticket_ptr& ticket) {
  auto& state = self->state;
  auto alerts = state.fold.take();
  check_spike(state, state.errors, counts.errors, now, alerts);
  check_spike(state, state.failures, counts.failures, now, alerts);
  state.alerts_raised += static_cast<std::uint64_t>(
      std::count_if(alerts.begin(), alerts.end(), [](const alert& a) { return !a.update; }));
  raise_alerts(state.hub, state.clock, std::move(alerts), now, ticket);
  keep_time(self, now);
}

void take_batch(anomaly_detector_pointer self, const event_batch& batch, mono_time now) {
  auto& state = self->state;
  batch_counts counts;
  for (const auto& e : batch.events)
    take_event(state, counts, *e, now);
  state.errors_seen += counts.errors.all;
  state.failures_seen += counts.failures.all;
  raise(self, counts, now, batch.ticket);
}

void look_again(anomaly_detector_pointer self, mono_time now) {
  auto& state = self->state;
  if (state.tick_at && *state.tick_at > now)
    return;
  state.tick_at.reset();
  for (auto& a : state.sockets.due(now))
    state.fold.add(std::move(a));
  raise(self, {}, now, nullptr);
}

health_part health(const anomaly_detector_state& state) {
  return std::make_shared<const nlohmann::json>(nlohmann::json{
      {"detector",
       {{"errors", state.errors_seen},
        {"network_failures", state.failures_seen},
        {"joined", state.joined},
        {"spikes", state.spikes},
        {"alerts", state.alerts_raised}}},
      {"dropped", {{"alerts_beyond_batch_cap", state.fold.dropped()}}},
  });
}

} // namespace

anomaly_detector_actor::behavior_type
anomaly_detector(anomaly_detector_pointer self, alert_hub_actor hub, wall_clock clock,
                 limits_of<alert_room, detection_room, push_room> limit) {
  auto& state = self->state;
  state.hub = std::move(hub);
  state.clock = std::move(clock);
  state.limit = limit;
  state.errors.rate = error_spike{limit};
  state.failures.kind = alert_topic::network_errors;
  state.failures.rate = error_spike{limit};
  state.causes = cause_window{limit.detection};
  state.sockets = socket_watch{limit.detection};
  state.builds = build_watch{limit.detection};
  state.fold = batch_alerts{limit.push.pending + 1};
  guard_exceptions(self);
  return {
      [self](health_atom) { return health(self->state); },
      [self](batch_atom, const event_batch_ptr& batch) {
        take_batch(self, *batch, self->clock().now());
      },
      [self](tick_atom) { look_again(self, self->clock().now()); },
  };
}

} // namespace gasoline
