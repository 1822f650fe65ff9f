#pragma once

#include "actors/mcp_tools/tool/tool.hpp"

namespace gasoline {

/// `interact {action:"evaluate"}`.
tool_mode evaluate_action();

} // namespace gasoline
