#pragma once

#include "actors/agents/tools/shell_process.hpp"
#include "actors/base/actor_timers.hpp"
#include "actors/redaction/redaction_engine.hpp"
#include "config/limits.hpp"
#include "messages/agents/session_actors.hpp"

#include <memory>
#include <optional>
#include <string>

namespace gasoline {

/// What a `shell` call works with.
struct shell_setup {
  tool_request_ptr request;
  turn_actor turn; ///< is told the outcome
  std::shared_ptr<const redaction_engine> redaction;
  limits_of<session_room> limit;
};

struct shell_run_state {
  static inline const char* name = "shell_run";

  std::optional<shell_setup> setup;
  pid_t pid = 0;            ///< of the supervisor; 0: not started, or reaped
  file_descriptor lifeline; ///< of everything that runs
  std::string ending_as;    ///< `cancelled` or `timeout` once it was told to end
  actor_timers timers;
};

/// The `shell` tool: `{command, timeout_ms?}`. Runs the command in the workspace; a thread of its
/// own reads what it says. At the timeout, or when it is cancelled, the process group gets SIGTERM,
/// and everything SIGKILL after `limits.session_tool_kill_ms`; when the turn has ended, SIGKILL at
/// once. What is still running when the command itself has ended, or the engine, is killed, also
/// when it has left the group. Needs a scheduler that other threads may send to.
tool_run_actor shell_run(caf::actor_system& system, shell_setup setup);

/// The tool as a model sees it.
model_tool shell_tool(const limits_of<session_room>& limit);

} // namespace gasoline
