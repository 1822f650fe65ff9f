#pragma once

#include "messages/agents/session_actors.hpp"

#include <functional>
#include <string>

namespace gasoline {

/// What a tool that may block works with.
struct blocking_tool_setup {
  std::string tool_use_id;
  std::function<tool_outcome()> work; ///< called once; what it answers is redacted
  turn_actor turn;                    ///< is told the outcome
  bool detached = true;               ///< the work gets a thread of its own; tests need none
};

struct blocking_tool_state {
  static inline const char* name = "blocking_tool";

  blocking_tool_setup setup;
};

/// Runs a tool whose work is short but may wait for a disk. Cancelling counts until it has begun;
/// the turn waits no longer than its own deadline.
tool_run_actor blocking_tool(caf::actor_system& system, blocking_tool_setup setup);

/// A tool run that ends at once with this outcome.
tool_run_actor ended_tool(caf::actor_system& system, std::string tool_use_id, tool_outcome outcome,
                          const turn_actor& turn);

} // namespace gasoline
