#pragma once

#include "actors/agents/turn/turn_machine.hpp"
#include "actors/base/actor_timers.hpp"
#include "messages/agents/session_actors.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>

namespace gasoline {

/// Who a turn works with.
struct turn_environment {
  agent_session_actor session;
  trace_reader_actor reader;
  std::shared_ptr<const session_services> services;
  session_summary summary; ///< of the session, for tools, system prompt and script
};

struct turn_state {
  static inline const char* name = "turn";

  std::optional<turn_environment> env;
  std::optional<turn_machine> machine;
  limits_of<ingest_room, session_room> limit;
  message_list history; ///< of the turns before
  budget_share share;   ///< of what conversations may hold
  agent_message_id first_message;
  bool has_history = false;
  provider_actor provider; ///< null: no model call is running
  std::map<std::string, tool_run_actor> tools;
  actor_timers timers;
};

/// One turn of a session. Drives a `turn_machine`: model calls and
/// tools are actors of their own, watched, so that one that fails is a failed call and no silence.
turn_actor::behavior_type turn(turn_actor::stateful_pointer<turn_state> self, turn_environment env,
                               turn_setup setup);

} // namespace gasoline
