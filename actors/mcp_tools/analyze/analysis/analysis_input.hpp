#pragma once

#include "actors/mcp_tools/analyze/analysis/analyze_call.hpp"
#include "actors/mcp_tools/analyze/analysis/event_gather.hpp"
#include "actors/mcp_tools/analyze/analysis/moment.hpp"
#include "config/limits.hpp"
#include "config/values/user_error.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace gasoline {

/// What one analysis sees.
struct analysis_input {
  const analyze_call& call;
  event_span earlier; ///< before `since`; empty where none is given
  event_span events;  ///< from `since` to `until`, oldest first; to the last one where no end was
                      ///< asked for, since clocks of pages may go up to a day before ours
  std::optional<moment> since;
  wall_time until{}; ///< now, unless another end was asked for
  const telemetry_marks& marks;
  std::string remark; ///< what the reader has to know of the events: what was dropped; may be empty
  limits_of<alert_room> limit;

  /// `until`, or the time of the last event where a clock that goes before ours gave it one.
  wall_time latest() const;
};

/// Where an analysis begins when `since` is not given.
enum class usual_beginning : std::uint8_t {
  everything,
  comparison ///< where a comparison usually does (`usual_moment`)
};

/// Splits what was gathered as the call asks; the sentence says which points in time there are.
/// Call and events must outlive it.
result_or<analysis_input> split_events(const analyze_call& asked, usual_beginning usual,
                                       const gathered_events& found, wall_time now,
                                       const limits_of<alert_room>& limit);

} // namespace gasoline
