#pragma once

#include "actors/mcp_tools/tool/tool.hpp"

namespace gasoline {

/// `analyze {what:"page"}`: what the browser's page shows now, in 2 KB.
tool_mode page_analysis();

} // namespace gasoline
