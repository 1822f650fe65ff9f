#pragma once

#include "actors/mcp_tools/tool/tool.hpp"
#include "config/limits.hpp"

namespace gasoline {

/// `observe`: what the browser, CI and the engine reported. One mode for each value of `what`.
tool observe_tool(const limits_of<client_room, result_room>& limit);

} // namespace gasoline
