#pragma once

#include "config/limits.hpp"
#include "messages/agents/model_call.hpp"

namespace gasoline {

/// The `read_file` tool: `{path, offset?, limit?}` with offset and limit in bytes. Answers the text
/// and, where there is more, how to read on. Text is not redacted yet. Blocks while the disk does.
tool_outcome read_file(const tool_request& request, const limits_of<session_room>& limit);

/// The tool as a model sees it.
model_tool read_file_tool(const limits_of<session_room>& limit);

} // namespace gasoline
