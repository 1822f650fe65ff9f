#pragma once

#include "actors/mcp_tools/tool/tool.hpp"
#include "config/limits.hpp"

#include <string>

namespace gasoline {

/// `generate`: what was seen as something to run, to read or to hand on. Files may be in the
/// client's workspace, and in the directory `generated` of the state directory.
tool generate_tool(const std::string& state_directory, const limits_of<result_room>& limit);

} // namespace gasoline
