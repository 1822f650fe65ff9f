#pragma once

#include "actors/mcp_tools/tool/tool.hpp"

namespace gasoline {

/// `configure {action:"mark"}`: names this point in time, for `analyze {what:"diff"}`.
tool_mode mark_action();

} // namespace gasoline
