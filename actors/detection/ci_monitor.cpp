#include "actors/detection/ci_monitor.hpp"

#include "actors/alerts/raise_alerts.hpp"
#include "actors/base/exception_guard.hpp"

#include <algorithm>
#include <utility>

namespace gasoline {
namespace {

using ci_monitor_pointer = ci_monitor_actor::stateful_pointer<ci_monitor_state>;

redacted_text ci_status_text(ci_status status) {
  switch (status) {
  case ci_status::success:
    return literal{"success"};
  case ci_status::failure:
    return literal{"failure"};
  case ci_status::error:
    return literal{"error"};
  case ci_status::unstable:
    return literal{"unstable"};
  case ci_status::cancelled:
    return literal{"cancelled"};
  case ci_status::skipped:
    return literal{"skipped"};
  case ci_status::running:
    return literal{"running"};
  case ci_status::unknown:
    break;
  }
  return literal{"unknown"};
}

void add_line(redacted_text& detail, const redacted_text& line) {
  if (line.empty())
    return;
  if (!detail.empty())
    detail += "\n";
  detail += line;
}

// The failed tests that fit, and how many more there are.
redacted_text failures_line(const ci_result& r,
                            const limits_of<alert_room, detection_room>& limit) {
  const auto room = limit.alert.detail_bytes / 2;
  redacted_text out;
  std::uint64_t shown = 0;
  for (const auto& f : r.failures) {
    auto one = f.name;
    if (!f.message.empty())
      one += redacted(literal{": "}, f.message);
    one = one.shortened(room / 4);
    if (out.size() + one.size() > room)
      break;
    if (shown++ > 0)
      out += "; ";
    out += one;
  }
  const auto total = std::max<std::uint64_t>(r.failure_count, r.failures.size());
  if (total == 0)
    return out;
  if (total > shown)
    out += shown > 0 ? redacted(literal{" and "}, total - shown, literal{" more"})
                     : redacted(total, literal{" tests"});
  return redacted(literal{"Failed: "}, out);
}

redacted_text revision_line(const ci_result& r,
                            const limits_of<alert_room, detection_room>& limit) {
  const auto room = limit.alert.detail_bytes / 8;
  redacted_text out;
  if (!r.ref.empty())
    out += redacted(literal{"ref "}, r.ref.shortened(room));
  if (!r.ref.empty() && !r.commit.empty())
    out += ", ";
  if (!r.commit.empty())
    out += redacted(literal{"commit "}, r.commit.shortened(room));
  return out;
}

redacted_text detail_of(const ci_result& r, const limits_of<alert_room, detection_room>& limit) {
  redacted_text detail = r.summary.shortened(limit.alert.detail_bytes / 8);
  add_line(detail, failures_line(r, limit));
  add_line(detail, revision_line(r, limit));
  add_line(detail, r.url);
  return detail.shortened(limit.alert.detail_bytes);
}

// `(gitlab-ci, main, unit tests)`: what tells results with one status apart.
redacted_text ci_place(const ci_result& r, const limits_of<alert_room, detection_room>& limit) {
  const auto room = limit.alert.title_bytes / 5;
  auto out = redacted(literal{" ("}, r.source.shortened(room));
  for (const auto* part : {&r.ref, &r.job})
    if (!part->empty())
      out += redacted(literal{", "}, part->shortened(room));
  return redacted(out, literal{")"});
}

redacted_text title_of(const ci_result& r, ci_news news,
                       const limits_of<alert_room, detection_room>& limit) {
  redacted_text title = literal{"CI "};
  const auto word = r.word.shortened(limit.alert.title_bytes / 5);
  if (news == ci_news::recovered)
    title += "recovered";
  else if (r.status == ci_status::unknown)
    title += redacted(literal{"result '"}, word, literal{"', a word that is not known"});
  else
    title += ci_status_text(r.status);
  if (r.status != ci_status::unknown && news != ci_news::recovered && !word.empty())
    title += redacted(literal{": "}, word);
  return redacted(title, ci_place(r, limit)).shortened(limit.alert.title_bytes);
}

// Commits are kept as they are: two of them are two results, however alike they look.
redacted_text result_key(const ci_result& r, const limits_of<alert_room, detection_room>& limit) {
  const auto room = limit.alert.key_bytes / 5;
  auto out = redacted(literal{"ci:"}, r.source.shortened(room), literal{":"},
                      (r.commit.empty() ? r.ref : r.commit).shortened(room), literal{":"});
  if (const auto run = ci_run_of(r); !run.empty())
    out += redacted(run.shortened(2 * room), literal{":"});
  if (r.status == ci_status::unknown)
    out += r.word.shortened(room / 2);
  else
    out += ci_status_text(r.status);
  return out.shortened(limit.alert.key_bytes);
}

severity level_of_result(ci_status status) {
  switch (status) {
  case ci_status::failure:
  case ci_status::error:
    return severity::error;
  case ci_status::unstable:
  case ci_status::cancelled:
  case ci_status::unknown:
    return severity::warning;
  case ci_status::success:
  case ci_status::skipped:
  case ci_status::running:
    break;
  }
  return severity::info;
}

// Nothing was tried, or nothing has ended.
bool is_silent(ci_status status) {
  return status == ci_status::skipped || status == ci_status::running;
}

alert alert_of(const ci_result& r, const ci_verdict& verdict,
               const limits_of<alert_room, detection_room>& limit) {
  alert a;
  a.category = alert_category::ci;
  a.kind = alert_topic::ci;
  a.level = level_of_result(r.status);
  a.update = verdict.news == ci_news::repeated;
  a.source = literal{"ci_webhook"};
  a.title = title_of(r, verdict.news, limit);
  a.detail = detail_of(r, limit);
  a.dedup_key = result_key(r, limit);
  if (verdict.ended) {
    a.ends = result_key(*verdict.ended, limit);
    a.dedup_key = ending_key(a.ends);
  }
  a.url = r.url;
  a.ci = alert_ci{r.source.shortened(limit.alert.title_bytes),
                  r.ref.shortened(limit.alert.title_bytes)};
  a.next = literal{R"(observe {"what":"ci"})"};
  return a;
}

void take_result(ci_monitor_state& state, const ci_result_ptr& result, wall_time at,
                 std::vector<alert>& alerts) {
  ++state.received;
  state.watchers.changed();
  if (is_failed(result->status))
    ++state.failed;
  const auto verdict = state.history.add(result, at);
  if (verdict.news != ci_news::outdated && !is_silent(result->status))
    alerts.push_back(alert_of(verdict.known ? *verdict.known : *result, verdict, state.limit));
}

void take_batch(ci_monitor_state& state, const event_batch& batch, mono_time now) {
  std::vector<alert> alerts;
  for (const auto& e : batch.events)
    if (e->kind == telemetry_kind::ci && e->ci)
      take_result(state, e->ci, e->at, alerts);
  raise_alerts(state.hub, state.clock, std::move(alerts), now, batch.ticket);
}

nlohmann::json failures_json(const ci_result& r) {
  auto out = nlohmann::json::array();
  for (const auto& f : r.failures)
    out.push_back({{"name", f.name.str()}, {"message", f.message.str()}});
  return out;
}

nlohmann::json entry_json(const ci_entry& entry) {
  const auto& r = *entry.result;
  nlohmann::json out{{"status", name_of(r.status)},
                     {"source", r.source.str()},
                     {"failures", failures_json(r)},
                     {"failure_count", std::max<std::uint64_t>(r.failure_count, r.failures.size())},
                     {"timestamp", to_iso8601(entry.at)}};
  const std::pair<const char*, const redacted_text*> texts[] = {
      {"word", &r.word}, {"ref", &r.ref},         {"commit", &r.commit},
      {"job", &r.job},   {"summary", &r.summary}, {"url", &r.url}};
  for (const auto& [name, text] : texts)
    if (!text->empty())
      out[name] = text->str();
  if (r.attempt > 0)
    out["attempt"] = r.attempt;
  if (r.duration_ms >= 0)
    out["duration_ms"] = r.duration_ms;
  return out;
}

json_document listing(const ci_monitor_state& state) {
  auto out = nlohmann::json::array();
  const auto& entries = state.history.entries();
  for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry)
    out.push_back(entry_json(*entry));
  return std::make_shared<const nlohmann::json>(std::move(out));
}

health_part health(const ci_monitor_state& state) {
  return std::make_shared<const nlohmann::json>(nlohmann::json{
      {"ci",
       {{"received", state.received},
        {"failed", state.failed},
        {"kept", state.history.entries().size()}}},
  });
}

} // namespace

ci_monitor_actor::behavior_type ci_monitor(ci_monitor_pointer self, alert_hub_actor hub,
                                           wall_clock clock,
                                           limits_of<alert_room, detection_room> limit) {
  auto& state = self->state;
  state.hub = std::move(hub);
  state.clock = std::move(clock);
  state.limit = limit;
  state.history = ci_history{limit};
  guard_exceptions(self);
  return {
      [self](health_atom) { return health(self->state); },
      [self](batch_atom, const event_batch_ptr& batch) {
        take_batch(self->state, *batch, self->clock().now());
      },
      [self](list_atom) { return listing(self->state); },
      [self](watch_atom, const change_sink& watcher, watched_part) {
        self->state.watchers.watch(watcher);
      },
  };
}

} // namespace gasoline
