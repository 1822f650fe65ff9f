#pragma once

#include "actors/mcp/offers/mcp_registry.hpp"

namespace gasoline {

/// The resources `gasoline://streams/{name}`: status and newest events of one stream.
mcp_resource_template stream_resources();

} // namespace gasoline
