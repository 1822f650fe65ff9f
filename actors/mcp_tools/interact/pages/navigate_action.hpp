#pragma once

#include "actors/mcp_tools/tool/tool.hpp"

namespace gasoline {

/// `interact {action:"navigate"}`.
tool_mode navigate_action();

} // namespace gasoline
