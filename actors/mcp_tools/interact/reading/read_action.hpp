#pragma once

#include "actors/mcp_tools/tool/tool.hpp"

namespace gasoline {

/// `interact {action:"read"}`.
tool_mode read_action();

} // namespace gasoline
