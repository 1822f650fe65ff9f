#pragma once

#include "actors/mcp_tools/tool/tool.hpp"

namespace gasoline {

/// `stream_subscribe`: what is new on a stream is kept for the client from now on.
tool stream_subscribe_tool();

} // namespace gasoline
