#include "actors/mcp_tools/analyze/faults/green_mark.hpp"

#include "actors/resolution/fault_names.hpp"

#include <iterator>

namespace gasoline {

const telemetry_mark* green_mark(const telemetry_marks& marks, event_span events,
                                 const limits_of<alert_room>& limit) {
  fault_names names{limit};
  // Looked through from the end, since only the newest is asked for.
  auto told = events.rbegin();
  for (auto mark = marks.rbegin(); mark != marks.rend(); ++mark) {
    while (told != events.rend() && (*told)->at > mark->at)
      ++told;
    const auto before = std::next(mark);
    bool any = false;
    bool well = true;
    for (; told != events.rend() && (before == marks.rend() || (*told)->at > before->at); ++told) {
      any = true;
      well = well && !names.of(**told);
    }
    if (any && well)
      return &*mark;
  }
  return nullptr;
}

} // namespace gasoline
