#include "actors/alerts/raise_alerts.hpp"

#include <memory>
#include <utility>

namespace gasoline {

void raise_alerts(const alert_hub_actor& hub, const wall_clock& clock, std::vector<alert> alerts,
                  mono_time now, const ticket_ptr& ticket) {
  if (alerts.empty())
    return;
  const auto label = clock(now);
  for (auto& a : alerts) {
    a.at = label;
    a.raised = now;
  }
  auto batch = std::make_shared<alert_batch>();
  batch->alerts = std::move(alerts);
  batch->ticket = ticket;
  caf::anon_send(hub, alert_atom_v, alert_batch_ptr{std::move(batch)});
}

} // namespace gasoline
