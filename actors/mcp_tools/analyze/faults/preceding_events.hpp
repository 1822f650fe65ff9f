#pragma once

#include "messages/telemetry/query.hpp"

#include <string>
#include <vector>

namespace gasoline {

/// What the user did last on the event's page in the 5 s before it: `click on Pay`; empty: nothing.
/// `events` oldest first.
std::string last_action_before(const std::vector<event_group>& events, const event& e);

/// That, else the request that its page ended last in the 2 s before it: `GET /api/items 200`.
std::string last_step_before(const std::vector<event_group>& events, const event& e);

} // namespace gasoline
