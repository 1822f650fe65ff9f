#include "actors/detection/ci_monitor.hpp"

#include "actors/alerts/raise_alerts.hpp"
#include "actors/base/exception_guard.hpp"

#include <algorithm>
#include <utility>

namespace gasoline {
namespace {

using ci_monitor_pointer = ci_monitor_actor::stateful_pointer<ci_monitor_state>;

literal status_word(ci_status status) {
  switch (status) {
  case ci_status::success:
    return "success";
  case ci_status::failure:
    return "failure";
  case ci_status::error:
    return "error";
  }
  return "unknown";
}

void add_line(redacted_text& detail, const redacted_text& line) {
  if (line.empty())
    return;
  if (!detail.empty())
    detail += "\n";
  detail += line;
}

// The failed tests that fit, and how many more there are.
redacted_text failures_line(const ci_result& r, const limits& limit) {
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

redacted_text revision_line(const ci_result& r, const limits& limit) {
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

redacted_text detail_of(const ci_result& r, const limits& limit) {
  redacted_text detail = r.summary.shortened(limit.alert.detail_bytes / 8);
  add_line(detail, failures_line(r, limit));
  add_line(detail, revision_line(r, limit));
  add_line(detail, r.url);
  return detail.shortened(limit.alert.detail_bytes);
}

redacted_text title_of(const ci_result& r, ci_news news, const limits& limit) {
  const auto source = r.source.shortened(limit.alert.title_bytes / 2);
  if (news == ci_news::recovered)
    return redacted(literal{"CI recovered ("}, source, literal{")"});
  return redacted(literal{"CI "}, status_word(r.status), literal{" ("}, source, literal{")"});
}

// Commits are kept as they are: two of them are two results, however alike they look.
redacted_text key_of(const ci_result& r, ci_news news, const limits& limit) {
  const auto room = limit.alert.key_bytes / 4;
  auto out = redacted(literal{"ci:"}, r.source.shortened(room), literal{":"},
                      (r.commit.empty() ? r.ref : r.commit).shortened(room), literal{":"});
  if (news == ci_news::recovered)
    out += "recovered";
  else
    out += status_word(r.status);
  return out.shortened(limit.alert.key_bytes);
}

alert alert_of(const ci_result& r, ci_news news, const limits& limit) {
  alert a;
  a.category = alert_category::ci;
  a.kind = alert_topic::ci;
  a.level = r.status == ci_status::success ? severity::info : severity::error;
  a.source = literal{"ci_webhook"};
  a.title = title_of(r, news, limit);
  a.detail = detail_of(r, limit);
  a.dedup_key = key_of(r, news, limit);
  a.url = r.url.shortened(limit.alert.url_bytes);
  a.next = literal{R"(observe {"what":"ci"})"};
  return a;
}

void take_result(ci_monitor_state& state, const ci_result_ptr& result, wall_time at,
                 std::vector<alert>& alerts) {
  ++state.received;
  state.watchers.changed();
  if (result->status != ci_status::success)
    ++state.failed;
  const auto news = state.history.add(result, at);
  if (news != ci_news::repeated)
    alerts.push_back(alert_of(*result, news, state.limit));
}

void take_batch(ci_monitor_state& state, const event_batch& batch, mono_time now) {
  std::vector<alert> alerts;
  for (const auto& e : batch.events)
    if (e->source == event_source::ci && e->ci)
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
      {"ref", &r.ref}, {"commit", &r.commit}, {"summary", &r.summary}, {"url", &r.url}};
  for (const auto& [name, text] : texts)
    if (!text->empty())
      out[name] = text->str();
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
                                           wall_clock clock, limits limit) {
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
      [self](watch_atom, const caf::actor& watcher, watched_part) {
        self->state.watchers.watch(watcher);
      },
  };
}

} // namespace gasoline
