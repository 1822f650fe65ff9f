#pragma once

#include "actors/redaction/redaction_engine.hpp"
#include "actors/streams/stream_directory.hpp"
#include "actors/streams/stream_listeners.hpp"
#include "actors/streams/stream_waits.hpp"
#include "config/limits.hpp"
#include "messages/actors.hpp"
#include "messages/streams/stream_backend.hpp"

#include <map>
#include <memory>
#include <optional>

namespace gasoline {

/// Where streams are kept for several engines. Without a backend they live in this process alone.
struct stream_sharing {
  stream_backend_actor backend;
  bool alerts = false; ///< `$alerts` is shared as well
  bool waits_when_lost = false;
};

using stream_registry_limits =
    limits_of<alert_room, entry_room, ingest_room, nats_room, push_room, stream_room>;

struct stream_registry_state {
  static inline const char* name = "stream_registry";

  stream_registry_limits limit;
  wall_clock clock;
  std::optional<stream_directory> directory;
  stream_listeners listeners;
  std::map<caf::actor_addr, client_id> sessions; ///< that are monitored
  stream_sharing sharing;
  stream_waits waits;                  ///< for the backend
  std::uint64_t missed_by_readers = 0; ///< events that left a buffer before a reader got them
  std::uint64_t turned_away = 0;       ///< calls about a stream of somebody else's
};

using stream_registry_pointer = stream_registry_actor::stateful_pointer<stream_registry_state>;

/// Owns every named stream. A stream is a plain object, not an actor: all actors run on one thread,
/// where a second actor per event only adds a message (about 1 us, as much as the rest of the
/// publishing), and budgets over all streams need one owner. What a backend keeps is mirrored here,
/// so that reading is the same whether streams are shared or not.
stream_registry_actor::behavior_type
stream_registry(stream_registry_pointer self, std::shared_ptr<const redaction_engine> redaction,
                wall_clock clock, stream_sharing sharing, stream_registry_limits limit);

} // namespace gasoline
