#pragma once

#include "actors/mcp_tools/tool/tool.hpp"

namespace gasoline {

/// `configure {action:"health"}`: the health document of the engine.
tool_mode health_action();

} // namespace gasoline
