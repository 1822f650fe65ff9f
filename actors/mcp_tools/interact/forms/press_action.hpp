#pragma once

#include "actors/mcp_tools/tool/tool.hpp"

namespace gasoline {

/// `interact {action:"press"}`.
tool_mode press_action();

} // namespace gasoline
