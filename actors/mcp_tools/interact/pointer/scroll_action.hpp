#pragma once

#include "actors/mcp_tools/tool/tool.hpp"

namespace gasoline {

/// `interact {action:"scroll"}`.
tool_mode scroll_action();

} // namespace gasoline
