#pragma once

#include "actors/base/actor_timers.hpp"
#include "messages/agents/session_actors.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace gasoline {

/// An agent session as a client of the engine's own tools.
using engine_client_actor = message_writer::extend<
    // Calls a tool; answers its outcome. The text is not redacted yet.
    caf::replies_to<call_atom, tool_request_ptr>::with<tool_outcome>,
    // Gives up the call with that tool use id.
    caf::reacts_to<cancel_atom, std::string>,
    // The agent session has ended: leaves the engine.
    caf::reacts_to<leave_atom>>;

struct engine_client_state {
  static inline const char* name = "engine_client";

  /// A call that the engine has not answered.
  struct open_call {
    std::string tool_use_id;
    caf::typed_response_promise<tool_outcome> promise;
  };

  std::vector<rpc_frame_ptr> unsent; ///< until the engine has let it in
  std::map<std::uint64_t, open_call> calls;
  client_actor session; ///< null: not joined yet
  std::uint64_t last_call = 0;
  mono_time last_used{};
  std::uint64_t idle_ms = 0;
  bool leaving = false; ///< as soon as it has joined
  actor_timers timers;
};

/// Joins the engine as a client of its own, with its own read position, rate limit and
/// subscriptions, as any MCP client (revision 2026-07-28, so that nothing is pushed), and ends with
/// it or when it was idle for `limits.mcp_session_idle_ms`.
engine_client_actor::behavior_type
engine_client(engine_client_actor::stateful_pointer<engine_client_state> self,
              const engine_actor& engine, const agent_session_id& session_id,
              limits_of<mcp_room> limit);

} // namespace gasoline
