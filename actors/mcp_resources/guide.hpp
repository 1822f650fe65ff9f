#pragma once

#include "actors/mcp/offers/mcp_registry.hpp"

#include <string>
#include <vector>

namespace gasoline {

/// The text of the resource `gasoline://guide` (Markdown), which names every mode of the tools.
std::string guide_text(const std::vector<mcp_tool>& tools);

} // namespace gasoline
