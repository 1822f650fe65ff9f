#pragma once

#include "transport/nats/jetstream_codec.hpp"
#include "transport/nats/nats_link.hpp"

#include <functional>
#include <vector>

namespace gasoline {

/// All streams of the server, or why it does not list them.
using stream_list = result_or<std::vector<jetstream_stream>>;

/// Reads the list of all streams, a page at a time. `done` is not called when the connection was
/// lost meanwhile.
void read_list(nats_link self, std::function<void(const stream_list&)> done);

/// The registry knows every stream now. A cluster leaves out those that have no leader at the
/// moment, so one is gone only when the server says so of that one.
void finish_list(nats_link self, const std::vector<jetstream_stream>& found);

/// Streams that somebody has made, emptied or removed without being heard, and events that were not
/// delivered although they have been there for a while.
void compare(nats_link self, const std::vector<jetstream_stream>& found);

} // namespace gasoline
