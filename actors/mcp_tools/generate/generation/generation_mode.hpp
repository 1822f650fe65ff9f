#pragma once

#include "actors/mcp_tools/generate/generation/generation.hpp"
#include "actors/mcp_tools/tool/tool.hpp"
#include "config/limits.hpp"

#include <string>

namespace gasoline {

/// The mode: gathers events, makes the text, answers it or writes it to a file. `state_directory`
/// is where files may be beside the client's workspace.
tool_mode generation_mode(const generation& what, const std::string& state_directory,
                          const limits_of<result_room>& limit);

} // namespace gasoline
