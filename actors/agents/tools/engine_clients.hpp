#pragma once

#include "actors/agents/tools/engine_client.hpp"
#include "actors/redaction/redaction_engine.hpp"

#include <map>
#include <memory>
#include <string>

namespace gasoline {

/// The engine's clients that agent sessions are, by session.
using engine_clients_actor = caf::typed_actor<
    // The client of that session; joins it to the engine when it is not yet.
    caf::replies_to<attach_atom, engine_actor, agent_session_id>::with<engine_client_actor>,
    // That session has ended, and with it its client.
    caf::reacts_to<leave_atom, agent_session_id>>;

struct engine_clients_state {
  static inline const char* name = "engine_clients";

  std::map<agent_session_id, engine_client_actor> clients;
  limits_of<mcp_room> limit;
};

engine_clients_actor::behavior_type
engine_clients(engine_clients_actor::stateful_pointer<engine_clients_state> self,
               limits_of<mcp_room> limit);

/// What a call of one of the engine's own tools works with.
struct engine_tool_setup {
  tool_request_ptr request;
  turn_actor turn; ///< is told the outcome
  engine_actor engine;
  engine_clients_actor clients;
  std::shared_ptr<const redaction_engine> redaction;
};

struct engine_tool_state {
  static inline const char* name = "engine_tool";

  engine_tool_setup setup;
  engine_client_actor client; ///< null: not known yet
};

/// Runs one of the engine's own tools as the session's client.
tool_run_actor engine_tool(caf::actor_system& system, engine_tool_setup setup);

} // namespace gasoline
