#pragma once

#include "actors/mcp_tools/tool/tool.hpp"

namespace gasoline {

/// `interact {action:"fill"}`.
tool_mode fill_action();

} // namespace gasoline
