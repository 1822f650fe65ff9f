#pragma once

#include "actors/mcp_tools/tool/tool.hpp"

namespace gasoline {

/// `configure {"action":"scope"}`: which origins, services and CI sources are of the client's
/// project.
tool_mode scope_action();

} // namespace gasoline
