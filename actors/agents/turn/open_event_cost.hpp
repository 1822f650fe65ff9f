#pragma once

#include "messages/agents/session_event.hpp"

#include <cstdint>

namespace gasoline {

/// What an event of a message that is being written takes in memory until the message is complete,
/// since whoever attaches before that is shown it; in bytes, and rather too many than too few. What
/// it adds to the message itself is not in it.
std::uint64_t open_event_cost(const event_draft& draft);

} // namespace gasoline
