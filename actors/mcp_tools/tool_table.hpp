#pragma once

#include "actors/mcp/offers/mcp_registry.hpp"
#include "config/settings.hpp"

#include <string>
#include <vector>

namespace gasoline {

/// The tools that users get, in the order in which they are listed.
std::vector<mcp_tool> engine_tools(const settings& config);

/// The tools as the table of the README lists them: each mode with its line, then the parameters.
std::string tool_table_text(const std::vector<mcp_tool>& tools);

} // namespace gasoline
