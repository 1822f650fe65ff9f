#pragma once

#include "actors/mcp_tools/tool/tool.hpp"

namespace gasoline {

/// `configure {action:"clear"}`: the client reads from now on; nothing is deleted.
tool_mode clear_action();

} // namespace gasoline
