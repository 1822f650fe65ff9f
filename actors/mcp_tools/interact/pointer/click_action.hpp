#pragma once

#include "actors/mcp_tools/tool/tool.hpp"

namespace gasoline {

/// `interact {action:"click"}`.
tool_mode click_action();

} // namespace gasoline
