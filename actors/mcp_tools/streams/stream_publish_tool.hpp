#pragma once

#include "actors/mcp_tools/tool/tool.hpp"

namespace gasoline {

/// `stream_publish`: appends an event to a stream.
tool stream_publish_tool();

} // namespace gasoline
