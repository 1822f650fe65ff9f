#pragma once

#include "actors/mcp_tools/tool/tool.hpp"
#include "messages/streams/named_stream.hpp"

#include <string>
#include <string_view>

namespace gasoline {

/// A tool of the set `streams`, which answers JSON objects; what is wrong with its arguments is
/// `{"status":"error","message":…}`.
tool stream_tool(std::string_view name, std::string_view title, std::string_view description,
                 tool_mode mode);

/// Has the registry of streams carry out a command and answers with what it says.
void run_stream_command(const tool_call& call, stream_command command);

/// Answers with what the registry of streams says.
void answer_stream_call(const tool_call& call, const stream_answer& answer);

/// The advice where the name of a stream is missing.
inline constexpr const char* missing_stream = "; stream_status lists the streams.";

} // namespace gasoline
