#pragma once

#include "actors/mcp_tools/tool/tool.hpp"

namespace gasoline {

/// `interact {action:"screenshot"}`.
tool_mode screenshot_action();

} // namespace gasoline
