#pragma once

#include "actors/mcp_tools/tool/tool.hpp"

namespace gasoline {

/// `interact {action:"highlight"}`.
tool_mode highlight_action();

} // namespace gasoline
