#pragma once

#include "actors/mcp_tools/tool/tool.hpp"

namespace gasoline {

/// `interact {action:"dialog"}`.
tool_mode dialog_action();

} // namespace gasoline
