#pragma once

#include "actors/mcp_tools/tool/tool.hpp"

namespace gasoline {

/// `interact {action:"snapshot"}`.
tool_mode snapshot_action();

} // namespace gasoline
