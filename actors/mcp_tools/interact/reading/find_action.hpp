#pragma once

#include "actors/mcp_tools/tool/tool.hpp"

namespace gasoline {

/// `interact {action:"find"}`.
tool_mode find_action();

} // namespace gasoline
