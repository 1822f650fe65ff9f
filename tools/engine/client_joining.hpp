#pragma once

#include "messages/actors.hpp"

#include <functional>

namespace gasoline {

/// Joins a client with this writer to an engine; `done` gets its session, or null when the engine
/// is ending. Never blocks the caller; `done` is called once, from any thread.
using client_joining = std::function<void(message_writer writer, client_origin origin,
                                          std::function<void(client_actor)> done)>;

/// Joins clients to this engine.
client_joining join_to(caf::actor_system& system, const engine_actor& target);

} // namespace gasoline
