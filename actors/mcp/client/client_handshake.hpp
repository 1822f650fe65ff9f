#pragma once

#include "actors/mcp/client/request_context.hpp"

namespace gasoline {

/// Legacy `initialize`: agrees on a revision, never on 2026-07-28, and begins the session anew.
void initialize(const request_context& context, const nlohmann::json& params);

/// Legacy `ping`.
void ping(const request_context& context, const nlohmann::json& params);

/// Legacy `logging/setLevel`.
void set_level(const request_context& context, const nlohmann::json& params);

/// Modern `server/discover`.
void discover(const request_context& context, const nlohmann::json& params);

} // namespace gasoline
