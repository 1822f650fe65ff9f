#pragma once

#include "actors/mcp_tools/analyze/analysis/analysis_input.hpp"
#include "actors/mcp_tools/tool/tool.hpp"
#include "config/limits.hpp"

#include <string>
#include <string_view>

namespace gasoline {

/// A mode of `analyze`: a name, a line for the guide, and a pure function that makes the answer.
struct analysis {
  std::string_view name;
  std::string_view about;
  usual_beginning begins = usual_beginning::everything;
  std::string (*answer)(const analysis_input& input) = nullptr;
};

/// Answers the call from all that is buffered.
void analyse_buffers(const tool_call& call, const analysis& what, analyze_call asked);

tool_mode analysis_mode(const analysis& what, const limits_of<result_room>& limit);

} // namespace gasoline
