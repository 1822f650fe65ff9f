#pragma once

#include "actors/mcp_tools/tool/tool.hpp"

namespace gasoline {

/// `configure {action:"noise_rule"}`: the rules of what is hidden as noise.
tool_mode noise_rule_action(const limits_of<noise_room>& limit);

} // namespace gasoline
