#pragma once

#include "actors/mcp_tools/tool/tool.hpp"
#include "config/limits.hpp"

namespace gasoline {

/// `accessibility`: what some people cannot use in a page of the engine's own browser, by the rules
/// of axe-core, run when it is asked for.
tool_mode accessibility_mode(const limits_of<result_room>& limit);

} // namespace gasoline
