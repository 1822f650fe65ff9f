#pragma once

#include "actors/mcp_tools/tool/tool.hpp"

namespace gasoline {

/// `interact {action:"emulate"}`.
tool_mode emulate_action();

} // namespace gasoline
