#include "actors/alerts/alert_buffer.hpp"

#include "actors/alerts/alert_synthesis.hpp"
#include "actors/base/exception_guard.hpp"
#include "messages/alerts/alert_json.hpp"

#include <algorithm>
#include <memory>
#include <unordered_set>
#include <utility>
#include <vector>

namespace gasoline {
namespace {

alert_block drain(alert_log& log, client_id client, const limits& limit) {
  const auto unread = log.unread(client);
  auto told = synthesise(unread, limit);
  log.mark_read(client, told.left);
  for (const auto& m : unread)
    if (std::find(told.left.begin(), told.left.end(), m.id) == told.left.end())
      told.block.ids.push_back(m.id);
  return std::move(told.block);
}

alert_listing list(const alert_log& log, client_id client, const limits& limit) {
  std::unordered_set<std::uint64_t> unread;
  for (const auto& m : log.unread(client))
    unread.insert(m.id);
  auto alerts = log.all();
  std::sort(alerts.begin(), alerts.end(), [](const merged_alert& a, const merged_alert& b) {
    return a.last_raised != b.last_raised ? a.last_raised > b.last_raised : a.id > b.id;
  });
  alert_listing out;
  out.items.reserve(alerts.size());
  for (const auto& m : alerts)
    out.items.push_back({m.id, m.count, unread.count(m.id) > 0, full_alert_text(m, limit)});
  return out;
}

health_part health_of(const alert_log& log) {
  return std::make_shared<const nlohmann::json>(
      nlohmann::json{{"alerts", {{"buffered", log.size()}, {"merged", log.merged()}}},
                     {"dropped", {{"alerts_unread", log.evicted_unread()}}}});
}

} // namespace

alert_buffer_actor::behavior_type
alert_buffer(alert_buffer_actor::stateful_pointer<alert_buffer_state> self, limits limit) {
  self->state.log = alert_log{limit};
  self->state.limit = limit;
  guard_exceptions(self);
  return {
      [self](alert_atom, const alert_ptr& a, const ticket_ptr&) { self->state.log.append(a); },
      [self](drain_atom, client_id client) {
        return drain(self->state.log, client, self->state.limit);
      },
      [self](list_atom, client_id client) {
        return list(self->state.log, client, self->state.limit);
      },
      [self](clear_atom, client_id client) { self->state.log.mark_read(client); },
      [self](clear_atom, client_id client, const told_alerts& told) {
        self->state.log.mark_told(client, told);
      },
      [self](forget_atom, client_id client, const std::vector<std::uint64_t>& ids) {
        self->state.log.mark_unread(client, ids);
      },
      [self](forget_atom, client_id client) { self->state.log.forget(client); },
      [self](health_atom) { return health_of(self->state.log); },
  };
}

} // namespace gasoline
