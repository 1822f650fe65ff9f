#include "actors/mcp_tools/analyze/faults/green_mark.hpp"

#include "actors/resolution/fault_names.hpp"

#include <iterator>

namespace gasoline {

const telemetry_mark* green_mark(const telemetry_marks& marks,
                                 const std::vector<event_group>& events,
                                 const limits_of<alert_room>& limit) {
  fault_names names{limit};
  // Looked through from the end, since only the newest is asked for.
  auto group = events.rbegin();
  for (auto mark = marks.rbegin(); mark != marks.rend(); ++mark) {
    while (group != events.rend() && group->newest->at > mark->at)
      ++group;
    const auto before = std::next(mark);
    bool any = false;
    bool well = true;
    for (; group != events.rend() && (before == marks.rend() || group->newest->at > before->at);
         ++group) {
      any = true;
      well = well && !names.of(*group->newest);
    }
    if (any && well)
      return &*mark;
  }
  return nullptr;
}

} // namespace gasoline
