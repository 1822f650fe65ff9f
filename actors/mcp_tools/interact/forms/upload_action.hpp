#pragma once

#include "actors/mcp_tools/tool/tool.hpp"

namespace gasoline {

/// `interact {action:"upload"}`.
tool_mode upload_action();

} // namespace gasoline
