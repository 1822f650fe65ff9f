#pragma once

#include "actors/mcp_tools/tool/tool.hpp"

namespace gasoline {

/// `configure {action:"stream"}`: ends a subscription, deletes or purges a stream.
tool_mode stream_action();

} // namespace gasoline
