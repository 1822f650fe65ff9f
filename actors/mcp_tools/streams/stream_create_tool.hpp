#pragma once

#include "actors/mcp_tools/tool/tool.hpp"

namespace gasoline {

/// `stream_create`: makes a named stream.
tool stream_create_tool(const limits_of<stream_room>& limit);

} // namespace gasoline
