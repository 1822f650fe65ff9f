#pragma once

#include "actors/mcp_tools/tool/tool.hpp"

namespace gasoline {

/// `interact {action:"tabs"}`.
tool_mode tabs_action();

} // namespace gasoline
