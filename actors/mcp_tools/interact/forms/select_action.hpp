#pragma once

#include "actors/mcp_tools/tool/tool.hpp"

namespace gasoline {

/// `interact {action:"select"}`.
tool_mode select_action();

} // namespace gasoline
