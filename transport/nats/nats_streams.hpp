#pragma once

#include "config/settings.hpp"
#include "messages/streams/stream_backend.hpp"

namespace gasoline {

/// Spawns what keeps the named streams in NATS JetStream, on a thread of its own, since a
/// connection blocks while it is made. It connects once a registry has joined, tells that of every
/// stream and event, and after a loss goes on behind the last event that it has told. `$alerts` is
/// left out unless alerts are shared. Null in a program without a NATS client.
stream_backend_actor spawn_nats_streams(caf::actor_system& system, const settings& config);

} // namespace gasoline
