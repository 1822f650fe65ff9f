#pragma once

#include "actors/streams/stream_directory.hpp"
#include "config/limits.hpp"

#include <cstdint>
#include <string>

namespace gasoline {

// The answers of streams as JSON objects.

/// `key`: what the maker is told; empty: nothing.
std::string created_text(const named_stream& stream, const std::string& key);
std::string published_text(const stream_event& event);
std::string subscribed_text(const stream_subscription& subscription);
std::string unsubscribed_text(const stream_subscription& subscription);
std::string purged_text(const std::string& name, std::uint64_t events);
std::string deleted_text(const std::string& name, std::uint64_t subscriptions);

/// `stream_status`: what fits, with a `cursor` when there is more. A stream asked for by name is
/// shown with its counters.
std::string streams_text(const stream_directory& directory, const show_streams& wanted,
                         const limits_of<stream_room>& limit);

/// One stream's status with its newest events, as many as fit.
std::string stream_events_text(const named_stream& stream, std::uint64_t max_bytes,
                               const limits_of<stream_room>& limit);

} // namespace gasoline
