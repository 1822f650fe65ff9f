#pragma once

#include "messages/alert_actors.hpp"

#include <functional>

namespace gasoline {

/// Joins a client with this writer to an engine; `done` gets its session, or null when the engine
/// is ending. Never blocks the caller; `done` is called once, from any thread.
using client_joining = std::function<void(message_writer writer, client_origin origin,
                                          std::function<void(client_actor)> done)>;

/// Joins clients to this engine.
client_joining join_to(caf::actor_system& system, const local_engine_actor& target);

/// Joins one client whose process was started from `place`.
void join_engine(caf::actor_system& system, const local_engine_actor& target,
                 const message_writer& writer, const client_origin& origin,
                 const agent_place& place, std::function<void(client_actor)> done);

} // namespace gasoline
