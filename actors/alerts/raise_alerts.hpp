#pragma once

#include "messages/actors.hpp"
#include "messages/base/time.hpp"

#include <vector>

namespace gasoline {

/// Stamps the alerts with the time `now` and its label, and tells the hub. Nothing for none.
/// `ticket`: the POST that they come from, null where there is none.
void raise_alerts(const alert_hub_actor& hub, const wall_clock& clock, std::vector<alert> alerts,
                  mono_time now, const ticket_ptr& ticket = nullptr);

} // namespace gasoline
