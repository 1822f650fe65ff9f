#pragma once

#include "actors/mcp_tools/tool/tool.hpp"

namespace gasoline {

/// `analyze`: what the telemetry says as a whole.
tool analyze_tool(const limits_of<result_room>& limit);

} // namespace gasoline
