#pragma once

#include "config/limits.hpp"
#include "messages/agents/model_call.hpp"

namespace gasoline {

/// The `list_files` tool: `{path?, depth?}`. Answers one line per entry, sorted: directories end
/// with `/`, symbolic links with `@` and are not followed, files have their size. Text is not
/// redacted yet. Blocks while the disk does.
tool_outcome list_files(const tool_request& request, const limits_of<session_room>& limit);

/// The tool as a model sees it.
model_tool list_files_tool();

} // namespace gasoline
