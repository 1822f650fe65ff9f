#pragma once

#include "actors/mcp_tools/tool/tool.hpp"

namespace gasoline {

/// `stream_status`: the streams, their subscribers and events.
tool stream_status_tool(const limits_of<result_room>& limit);

} // namespace gasoline
