#pragma once

#include "actors/mcp_tools/tool/tool.hpp"

#include <string_view>

namespace gasoline {

/// `configure {action:"streaming"}`: turns the push of alerts on or off, or shows what it did. The
/// `selector` is the parameter that says which: `streaming_action`, or `action` in
/// `configure_streaming`.
tool_mode streaming_action(std::string_view name, std::string_view selector,
                           const limits_of<entry_room>& limit);

} // namespace gasoline
