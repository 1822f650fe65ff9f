#pragma once

#include "actors/mcp_tools/streams/stream_arguments.hpp"
#include "messages/agents/tool.hpp"
#include "messages/streams/named_stream.hpp"

namespace gasoline {

/// The answer to `observe {what:"stream"}`: one summary sentence, a line break, compact JSON
/// `{items, count, total, cursor?, missed?}`, oldest event first.
tool_result stream_page_answer(const observe_stream_call& call, const stream_page& page);

} // namespace gasoline
