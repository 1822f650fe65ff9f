#include "actors/telemetry/mark_log.hpp"

#include "actors/base/exception_guard.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <utility>

namespace gasoline {
namespace {

// A name that is set again moves.
telemetry_marks set_mark(mark_log_state& state, telemetry_mark mark) {
  auto& marks = state.marks;
  marks.erase(std::remove_if(marks.begin(), marks.end(),
                             [&](const auto& known) { return known.name == mark.name; }),
              marks.end());
  if (marks.size() >= state.most)
    marks.erase(marks.begin());
  marks.push_back(std::move(mark));
  ++state.set;
  return marks;
}

} // namespace

mark_log_actor::behavior_type mark_log(mark_log_actor::stateful_pointer<mark_log_state> self,
                                       const limits_of<store_room>& limit) {
  self->state.most = limit.store.marks;
  guard_exceptions(self);
  return {
      [self](health_atom) -> health_part {
        return std::make_shared<const nlohmann::json>(nlohmann::json{
            {"marks", {{"set", self->state.set}, {"kept", self->state.marks.size()}}}});
      },
      [self](mark_atom, telemetry_mark& mark) { return set_mark(self->state, std::move(mark)); },
      [self](list_atom) { return self->state.marks; },
  };
}

} // namespace gasoline
