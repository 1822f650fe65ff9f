#include "actors/agents/tools/blocking_tool.hpp"

#include "actors/base/exception_guard.hpp"

#include <utility>

namespace gasoline {
namespace {

using worker_actor = tool_run_actor::extend<
    // INTERNAL: does the work.
    caf::reacts_to<tick_atom>>;

using blocking_tool_pointer = worker_actor::stateful_pointer<blocking_tool_state>;

void tell_outcome(blocking_tool_pointer self, tool_outcome outcome) {
  outcome.tool_use_id = self->state.setup.tool_use_id;
  self->send(self->state.setup.turn, outcome_atom_v, std::move(outcome));
  self->quit();
}

tool_outcome stopped_before_start() {
  tool_outcome out;
  out.error_class = "cancelled";
  out.text = "The tool was cancelled before it had begun.";
  return out;
}

worker_actor::behavior_type work(blocking_tool_pointer self, blocking_tool_setup setup) {
  guard_exceptions(self);
  self->state.setup = std::move(setup);
  // A message to itself, so that a cancel that is already there comes first.
  self->send(self, tick_atom_v);
  return {
      [self](tick_atom) { tell_outcome(self, self->state.setup.work()); },
      [self](cancel_atom) { tell_outcome(self, stopped_before_start()); },
  };
}

} // namespace

tool_run_actor blocking_tool(caf::actor_system& system, blocking_tool_setup setup) {
  if (setup.detached)
    return system.spawn<caf::detached>(work, std::move(setup));
  return system.spawn(work, std::move(setup));
}

tool_run_actor ended_tool(caf::actor_system& system, std::string tool_use_id, tool_outcome outcome,
                          const turn_actor& turn) {
  blocking_tool_setup setup;
  setup.tool_use_id = std::move(tool_use_id);
  setup.work = [outcome = std::move(outcome)] { return outcome; };
  setup.turn = turn;
  return system.spawn(work, std::move(setup));
}

} // namespace gasoline
