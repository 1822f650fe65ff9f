#pragma once

#include "actors/mcp_tools/tool/tool.hpp"
#include "config/limits.hpp"

namespace gasoline {

/// `performance`: over all that is buffered, or of one page that the engine's own browser shows.
tool_mode performance_mode(const limits_of<result_room>& limit);

} // namespace gasoline
