#pragma once

#include "messages/streams/stream_actors.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace gasoline {

// What the registry of streams asks of a backend that keeps streams for several engines.

/// Stores events of one stream in this order.
struct store_events {
  std::string stream;
  std::vector<stream_event_ptr> events;              ///< redacted; their ids are open
  std::optional<std::chrono::milliseconds> patience; ///< for a server; none: as long as it takes
};

/// What became of one of them.
struct stored_place {
  std::uint64_t id = 0; ///< 0: it was not stored, or nobody knows
  stream_outcome outcome = stream_outcome::done;
  std::string problem; ///< a sentence when there is no id
};

using store_events_ptr = std::shared_ptr<const store_events>;
using stored_places = std::vector<stored_place>;

/// Asks for the id of the newest event of a stream.
struct newest_of_stream {
  std::string name;
};

using backend_command = std::variant<shared_stream, delete_stream, purge_stream, newest_of_stream>;

/// The answer: a refusal with its sentence, or a number (events that were purged, the newest id).
/// The registry has been told of what changed before it comes.
struct backend_answer {
  stream_outcome outcome = stream_outcome::done;
  std::string problem;
  std::uint64_t number = 0;
};

} // namespace gasoline

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::store_events_ptr)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::stored_places)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::backend_command)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::backend_answer)

namespace gasoline {

/// Keeps streams outside of this process.
using stream_backend_actor = caf::typed_actor<
    // From now on tells this registry (changed_atom, backend_news_ptr) what happens there.
    caf::reacts_to<join_atom, stream_registry_actor>,
    // Stores events; answers when it is known of each where it is.
    caf::replies_to<write_atom, store_events_ptr>::with<stored_places>,
    // Makes a stream, removes or empties it, or answers its newest id.
    caf::replies_to<stream_atom, backend_command>::with<backend_answer>>;

} // namespace gasoline
