#pragma once

#include "actors/mcp_tools/tool/tool.hpp"

namespace gasoline {

/// `alert`: says that an alert is known, or silences its fault for the caller's conversation.
tool_mode alert_action();

} // namespace gasoline
