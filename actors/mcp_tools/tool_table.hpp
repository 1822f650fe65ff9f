#pragma once

#include "actors/mcp/offers/mcp_registry.hpp"
#include "config/settings.hpp"

#include <vector>

namespace gasoline {

/// The tools that users get, in the order in which they are listed.
std::vector<mcp_tool> engine_tools(const settings& config);

} // namespace gasoline
