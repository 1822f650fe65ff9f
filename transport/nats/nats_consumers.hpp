#pragma once

#include "transport/nats/nats_link.hpp"

#include <functional>
#include <string>

namespace gasoline {

struct jetstream_stream;

/// The streams that are known, and the consumers that deliver their events.

/// Whether a stream of the server is for this engine: `$alerts` only when alerts are shared.
bool is_wanted(const nats_streams_state& state, const std::string& stream);

/// Has the server deliver the stream's events behind the last one that was told.
void start_consumer(nats_link self, const std::string& name);

/// The stream is gone: its events that wait are refused, and the registry is told.
void forget(nats_link self, const std::string& name);

/// Remembers a stream as the server describes it. An earlier one of that name is forgotten. A
/// stream that is new here begins with what fits into its buffer, one that is known goes on where
/// it was.
void remember(nats_link self, jetstream_stream& found);

/// Remembers a wanted stream, tells the registry, and has its events delivered.
void adopt(nats_link self, jetstream_stream found);

/// Finds out what a stream is now, and tells the registry; then calls `done` with the answer.
void look_at(nats_link self, const std::string& name, std::function<void(api_result)> done);

/// Adds an event that was delivered to the batch, which is told first when it holds another
/// stream's. A gap starts the consumer anew.
void take_delivery(nats_link self, nats_message&& message, stored_events& batch);

} // namespace gasoline
