#pragma once

#include "actors/mcp/offers/mcp_registry.hpp"
#include "config/limits.hpp"

#include <vector>

namespace gasoline {

/// The tools that users get, in the order they are listed. `configure_streaming` is always callable
/// but belongs to the set `compat`.
std::vector<mcp_tool> core_tools(const limits& limit);

} // namespace gasoline
