#pragma once

#include "actors/mcp_tools/analyze/faults/fault_table.hpp"
#include "config/limits.hpp"
#include "messages/telemetry/event_refs.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace gasoline {

/// What became of a fault.
enum class fault_fate : std::uint8_t {
  still,    ///< seen before and since
  fresh,    ///< seen since, not before
  unproved, ///< not seen since, but what brought it about was not done again either
  fixed     ///< not seen since, although the page was loaded and used in the same way
};

struct judged_fault {
  fault seen; ///< counts are those since for `still` and `fresh`, else those before
  fault_fate fate = fault_fate::still;
  std::string proof; ///< what was done again, or was not; a sentence without its full stop
};

/// Compares two stretches of time. `now` is the end of the later one. Events oldest first; the
/// answer is ordered by fate, then by the time last seen, the newest first.
std::vector<judged_fault> diff_faults(event_span before, event_span after, wall_time now,
                                      const limits_of<alert_room>& limit);

} // namespace gasoline
