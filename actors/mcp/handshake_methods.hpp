#pragma once

#include "actors/mcp/client/client_parts.hpp"
#include "actors/mcp/client/request_context.hpp"

namespace gasoline {

/// Legacy `initialize`: agrees on a revision, never on 2026-07-28, and begins the session anew.
void initialize(client_parts& client, const request_context& context, const nlohmann::json& params);

/// Legacy `ping`.
void ping(client_parts& client, const request_context& context, const nlohmann::json& params);

/// Legacy `logging/setLevel`.
void set_level(client_parts& client, const request_context& context, const nlohmann::json& params);

/// Modern `server/discover`.
void discover(client_parts& client, const request_context& context, const nlohmann::json& params);

} // namespace gasoline
