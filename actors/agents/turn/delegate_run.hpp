#pragma once

#include "messages/agents/session_actors.hpp"

#include <optional>
#include <string>

namespace gasoline {

/// What a delegation works with.
struct delegate_setup {
  session_registry_actor registry;
  turn_actor turn; ///< is told what happens
  tool_request request;
};

struct delegate_run_state {
  static inline const char* name = "delegate_run";

  std::optional<delegate_setup> setup;
  agent_session_actor worker; ///< null: not made yet
  agent_session_id worker_id;
  agent_turn_id turn_id; ///< of the worker; empty: not begun
  std::string answer;    ///< the text of the worker's last message
  mono_time started{};
  bool cancelled = false;
  bool ended = false; ///< the turn has been told the outcome
};

/// The `delegate` tool: runs a task in a worker session of its own
/// and answers with what the worker says last. Its input: `task`, and optionally `model`
/// (`PROVIDER:MODEL`), `system`, `tools`, `script`.
tool_run_actor delegate_run(caf::actor_system& system, delegate_setup setup);

/// The tool as a model sees it.
model_tool delegate_tool();

} // namespace gasoline
