#pragma once

#include "actors/mcp/offers/mcp_registry.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace gasoline {

/// What the server tells a client at `initialize`; its first 512 characters stand alone.
std::string_view server_instructions();

/// The text of the resource `gasoline://guide` (Markdown), which names every mode of the tools.
std::string guide_text(const std::vector<mcp_tool>& tools);

} // namespace gasoline
