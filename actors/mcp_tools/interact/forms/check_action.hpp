#pragma once

#include "actors/mcp_tools/tool/tool.hpp"

namespace gasoline {

/// `interact {action:"check"}`.
tool_mode check_action();

} // namespace gasoline
