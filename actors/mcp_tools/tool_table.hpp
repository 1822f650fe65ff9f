#pragma once

#include "actors/mcp/offers/mcp_registry.hpp"
#include "config/limits.hpp"

#include <vector>

namespace gasoline {

/// The tools that users get, in the order in which they are listed.
std::vector<mcp_tool> engine_tools(const limits_of<alert_room, client_room, entry_room, noise_room,
                                                   result_room, stream_room>& limit);

} // namespace gasoline
