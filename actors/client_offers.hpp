#pragma once

#include "actors/mcp/offers/mcp_registry.hpp"
#include "config/settings.hpp"

#include <memory>

namespace gasoline {

/// What clients of an engine get: the tools, resources and prompts of users, and what the public
/// conformance suites call where the settings say so. Made once for an engine.
std::shared_ptr<const mcp_registry> make_client_offers(const settings& config);

} // namespace gasoline
