#pragma once

#include "messages/telemetry/event.hpp"

#include <span>
#include <vector>

namespace gasoline {

/// Events that somebody else keeps.
using event_refs = std::vector<const event*>;
using event_span = std::span<const event* const>;

} // namespace gasoline
