#pragma once

#include "actors/mcp_tools/tool/tool.hpp"

namespace gasoline {

/// `interact {action:"drag"}`.
tool_mode drag_action();

} // namespace gasoline
