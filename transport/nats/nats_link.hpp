#pragma once

#include "config/settings.hpp"
#include "messages/streams/stream_backend.hpp"
#include "transport/nats/nats_connection.hpp"
#include "transport/nats/unacknowledged_events.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace gasoline {

using nats_batch_ptr = std::shared_ptr<std::vector<nats_message>>;

} // namespace gasoline

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::nats_batch_ptr)

namespace gasoline {

/// What the JetStream API answered, or why nothing came.
using api_result = result_or<nlohmann::json>;
using api_handler = std::function<void(api_result)>;

/// The first attempt after a loss; each further one waits twice as long, up to `nats_retry_ms`.
inline constexpr std::chrono::milliseconds first_nats_retry{50};

using nats_streams_actor = stream_backend_actor::extend<
    // INTERNAL: messages of the connection with that number.
    caf::reacts_to<receive_atom, std::uint64_t, nats_batch_ptr>,
    // INTERNAL: the connection with that number is lost.
    caf::reacts_to<closed_atom, std::uint64_t>,
    // INTERNAL: the server of that connection does not permit something.
    caf::reacts_to<status_atom, std::uint64_t, std::string>,
    // INTERNAL: it is time to connect again.
    caf::reacts_to<attach_atom>,
    // INTERNAL: looks for what is overdue.
    caf::reacts_to<tick_atom>,
    // INTERNAL: compares what was told with what the server has.
    caf::reacts_to<watch_atom>>;

/// The state of the actor that keeps streams in NATS; what it does with it stands in the files that
/// take a `nats_link`.
struct nats_streams_state {
  static inline const char* name = "nats_streams";
  using clock = unacknowledged_events::clock;

  /// A stream that the registry knows.
  struct known_stream {
    std::string created;
    std::uint64_t last = 0;     ///< id of the last event that was told
    std::uint64_t consumer = 0; ///< number of the consumer that delivers; 0: none
    std::uint64_t delivered = 0;
    std::uint64_t audited = 0; ///< id of the last event that was told when the server was asked
  };

  struct open_call {
    api_handler done;
    clock::time_point due{};
  };

  nats_library library; // ends after the connection
  settings config;
  stream_registry_actor registry;

  std::unique_ptr<nats_connection> connection;
  std::uint64_t connection_number = 0;
  bool synced = false; ///< the registry knows what the server has
  std::string refusal; ///< what the server last said that it does not permit; empty: nothing
  std::string problem{"The NATS server has not been reached yet."};
  std::chrono::milliseconds retry = first_nats_retry;

  std::map<std::string, known_stream> streams;
  std::unordered_map<std::string, std::string> consumers; ///< name -> stream
  std::uint64_t last_consumer = 0;

  std::map<std::uint64_t, open_call> calls;
  std::uint64_t last_call = 0;
  unacknowledged_events unacknowledged;
  bool tick_due = false;

  std::uint64_t untaken = 0;             ///< news that the registry has not handled yet
  std::vector<std::string> flow_replies; ///< due once it has
};

/// The actor, as the functions of this room are given it.
using nats_link = nats_streams_actor::stateful_pointer<nats_streams_state>;

inline nats_streams_state::clock::time_point now_of(nats_link self) {
  return self->clock().now();
}

} // namespace gasoline
