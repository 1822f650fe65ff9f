#pragma once

#include "actors/mcp_tools/tool/tool.hpp"
#include "config/limits.hpp"

namespace gasoline {

/// `observe {what:"stream"}`: what is new for a subscription, oldest event first, waiting for it if
/// asked to. What did not reach the client, since it has cancelled the call, stays new.
tool_mode stream_mode(const limits_of<client_room, result_room>& limit);

} // namespace gasoline
