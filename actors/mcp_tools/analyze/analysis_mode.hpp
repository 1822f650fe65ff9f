#pragma once

#include "actors/mcp_tools/analyze/analyze_call.hpp"
#include "actors/mcp_tools/analyze/event_gather.hpp"
#include "actors/mcp_tools/analyze/moment.hpp"
#include "actors/mcp_tools/tool/tool.hpp"
#include "config/limits.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gasoline {

/// What one analysis sees.
struct analysis_input {
  const analyze_call& call;
  std::vector<event_group> earlier; ///< before `since`; empty where none is given
  std::vector<event_group> events;  ///< from `since` to `until`, oldest first
  std::optional<moment> since;
  wall_time until{}; ///< now, unless another end was asked for
  const telemetry_marks& marks;
  std::string remark; ///< what the reader has to know of the events: what was dropped; may be empty
  limits_of<alert_room> limit;
};

/// A mode of `analyze`: a name, a line for the guide, and a pure function that makes the answer.
struct analysis {
  std::string_view name;
  std::string_view about;
  bool compares = false; ///< begins where a comparison usually does when `since` is not given
  std::string (*answer)(const analysis_input& input) = nullptr;
};

tool_mode analysis_mode(const analysis& what, const limits_of<result_room>& limit);

} // namespace gasoline
