#pragma once

#include "actors/mcp_tools/tool/tool.hpp"

namespace gasoline {

/// `interact {action:"type"}`.
tool_mode type_action();

} // namespace gasoline
