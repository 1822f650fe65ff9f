#pragma once

#include "actors/mcp_tools/tool/tool.hpp"

namespace gasoline {

/// `configure_streaming`: `configure {action:"streaming"}` under its older name. Always callable,
/// listed with the set `compat` only.
tool configure_streaming_tool(const limits_of<entry_room>& limit);

} // namespace gasoline
