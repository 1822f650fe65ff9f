#pragma once

#include "actors/mcp_tools/tool/tool.hpp"

namespace gasoline {

/// `interact {action:"hover"}`.
tool_mode hover_action();

} // namespace gasoline
