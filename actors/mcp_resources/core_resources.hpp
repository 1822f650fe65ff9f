#pragma once

#include "actors/mcp/offers/mcp_registry.hpp"

#include <vector>

namespace gasoline {

/// The resources and templates that users get. The live ones hold what the matching `observe` or
/// `configure` call answers, as one JSON document. Alerts that were read here count as shown.
std::vector<mcp_resource> core_resources(const std::vector<mcp_tool>& tools);
std::vector<mcp_resource_template> core_resource_templates();

} // namespace gasoline
