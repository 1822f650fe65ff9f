#pragma once

#include "messages/actors.hpp"
#include "messages/base/spawned_alone.hpp"
#include "tests/unit/support/virtual_system.hpp"

#include <memory>
#include <utility>
#include <vector>

namespace gasoline::test {

/// Stands in for the alert hub and keeps what it is told.
struct alert_probe {
  explicit alert_probe(virtual_system& vs) {
    auto kept = alerts;
    auto tickets = with_ticket;
    hub = vs.own(vs.sys.spawn(
        [kept, tickets](alert_hub_actor::pointer, spawned_alone) -> alert_hub_actor::behavior_type {
          return {
              [](health_atom) {
                return std::make_shared<const nlohmann::json>(nlohmann::json::object());
              },
              [kept, tickets](alert_atom, const alert_batch_ptr& batch) {
                for (const auto& a : batch->alerts)
                  kept->push_back(a);
                *tickets += batch->ticket ? 1 : 0;
              },
              [](join_atom, const alert_sink&) {},
          };
        },
        spawned_alone{}));
  }

  /// The alerts since the last call.
  std::vector<alert> take() { return std::exchange(*alerts, {}); }

  std::shared_ptr<std::vector<alert>> alerts = std::make_shared<std::vector<alert>>();
  std::shared_ptr<int> with_ticket = std::make_shared<int>(0); ///< batches that had a ticket
  alert_hub_actor hub;
};

/// A fixed label, so that only the actor clock can decide anything.
inline wall_clock fixed_clock() {
  return [](mono_time) { return *from_iso8601("2026-01-28T14:30:00.000Z"); };
}

inline event_batch_ptr batch_of(std::vector<event> events, ticket_ptr ticket = {}) {
  auto out = std::make_shared<event_batch>();
  out->ticket = std::move(ticket);
  for (auto& e : events)
    out->events.push_back(std::make_shared<const event>(std::move(e)));
  return out;
}

} // namespace gasoline::test
