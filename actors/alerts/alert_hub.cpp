#include "actors/alerts/alert_hub.hpp"

#include "actors/base/exception_guard.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>

namespace gasoline {
namespace {

using self_pointer = alert_hub_actor::stateful_pointer<alert_hub_state>;

void cut(redacted_text& text, std::size_t bytes) {
  if (text.size() > bytes)
    text = text.shortened(bytes);
}

/// Cuts a key that is too long; what was cut still counts, through its hash.
void cut_key(redacted_text& key, std::size_t bytes) {
  if (key.size() <= bytes)
    return;
  constexpr std::size_t hash_bytes = 21; // '#' and up to 20 digits
  const auto hash = std::hash<std::string>{}(key.str());
  key = key.shortened(bytes > hash_bytes ? bytes - hash_bytes : 0);
  key += "#";
  key += hash;
}

void cut_to_limits(alert& a, const limits_of<alert_room, entry_room, push_room>& limit) {
  cut(a.title, limit.alert.title_bytes);
  cut(a.detail, limit.alert.detail_bytes);
  // Whole, as filters of clients see it; what is told of it is cut when it is told.
  cut(a.url, limit.entry.url_bytes);
  cut(a.next, limit.alert.url_bytes);
  cut_key(a.dedup_key, limit.alert.key_bytes);
  cut_key(a.ends, limit.alert.key_bytes);
  for (auto& key : a.effects)
    cut_key(key, limit.alert.key_bytes);
  for (auto& line : a.also)
    cut(line, limit.alert.title_bytes);
  if (!a.context)
    return;
  cut(a.context->url, limit.alert.url_bytes);
  // Headers are JSON and cannot be cut; a notification could not take these anyway.
  if (a.context->headers.size() > limit.push.notification_bytes)
    a.context->headers = {};
}

/// A cause that comes to light after its effect was told goes on under the effect's correlation.
void take_over_correlation(const alert_recurrence& known, alert& a) {
  for (const auto& effect : a.effects)
    if (const auto id = known.newest(effect.str()); id > 0 && a.correlation_id.empty())
      a.correlation_id = redacted(literal{"evt_"}, id);
}

void tell(self_pointer self, alert&& raised, const ticket_ptr& ticket) {
  auto& state = self->state;
  cut_to_limits(raised, state.limit);
  if (raised.resolved && !state.recurrence->resolve(raised.ends.str()))
    return; // nobody was told of it by itself
  if (raised.update) {
    raised.id = state.recurrence->newest(merge_key(raised));
  } else {
    raised.id = ++state.last_id;
    raised.recurrence = state.recurrence->count(merge_key(raised), raised.id);
    raised.regressed = state.recurrence->take_return(merge_key(raised));
    take_over_correlation(*state.recurrence, raised);
  }
  for (const auto& effect : raised.effects)
    state.recurrence->absorb(effect.str());
  const auto a = std::make_shared<const alert>(std::move(raised));
  // The buffer first: a client that asks it when told finds the alert there.
  caf::anon_send(state.buffer, alert_atom_v, a, ticket);
  for (const auto& client : state.clients)
    caf::anon_send(client, alert_atom_v, a);
}

void join(self_pointer self, const alert_sink& client) {
  auto& clients = self->state.clients;
  if (!client || std::find(clients.begin(), clients.end(), client) != clients.end())
    return;
  clients.push_back(client);
  self->monitor(client);
}

void leave(self_pointer self, const caf::actor_addr& client) {
  auto& clients = self->state.clients;
  clients.erase(std::remove_if(clients.begin(), clients.end(),
                               [&](const alert_sink& c) { return c.address() == client; }),
                clients.end());
}

} // namespace

alert_hub_actor::behavior_type alert_hub(alert_hub_actor::stateful_pointer<alert_hub_state> self,
                                         alert_buffer_actor buffer,
                                         limits_of<alert_room, entry_room, push_room> limit) {
  self->state.buffer = std::move(buffer);
  self->state.limit = limit;
  self->state.recurrence.emplace(limit.alert.recurrence_entries);
  guard_exceptions(self);
  self->set_down_handler([self](const caf::down_msg& msg) { leave(self, msg.source); });
  return {
      [self](alert_atom, const alert_batch_ptr& batch) {
        for (auto& a : batch->alerts)
          tell(self, std::move(a), batch->ticket);
        batch->alerts.clear();
      },
      [self](join_atom, const alert_sink& client) { join(self, client); },
      [self](health_atom) -> health_part {
        return std::make_shared<const nlohmann::json>(
            nlohmann::json{{"alerts", {{"raised", self->state.last_id}}}});
      },
  };
}

} // namespace gasoline
