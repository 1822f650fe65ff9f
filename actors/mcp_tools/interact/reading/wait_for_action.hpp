#pragma once

#include "actors/mcp_tools/tool/tool.hpp"

namespace gasoline {

/// `interact {action:"wait_for"}`.
tool_mode wait_for_action();

} // namespace gasoline
