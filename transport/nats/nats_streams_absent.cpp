#include "transport/nats/nats_streams.hpp"

namespace gasoline {

// Built instead of nats_streams.cpp where there is no client library.

stream_backend_actor spawn_nats_streams(caf::actor_system&, const settings&) {
  return {};
}

} // namespace gasoline
