#pragma once

#include "actors/mcp_tools/tool/tool.hpp"

namespace gasoline {

/// `interact`: acts in the engine's browser and says what came of it.
tool interact_tool();

} // namespace gasoline
