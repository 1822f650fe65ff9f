#pragma once

#include "actors/mcp/client/client_parts.hpp"
#include "actors/mcp/client/request_context.hpp"

namespace gasoline {

/// `tools/list`: one page.
void tools_list(client_parts& client, const request_context& context, const nlohmann::json& params);

/// `tools/call`: name, rate limit, and the tool of the registry.
void tools_call(client_parts& client, const request_context& context, const nlohmann::json& params);

} // namespace gasoline
