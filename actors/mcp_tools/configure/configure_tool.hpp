#pragma once

#include "actors/mcp_tools/tool/tool.hpp"

namespace gasoline {

/// `configure`: what the engine does for the client. One mode for each value of `action`, which is
/// also accepted as `what`. Its answers are compact JSON.
tool configure_tool(const limits_of<entry_room, noise_room>& limit);

} // namespace gasoline
