#pragma once

#include "messages/streams/named_stream.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gasoline {

/// What the `data` of a Server-Sent Event is made of.
enum class stream_format : std::uint8_t {
  data, ///< the event's data
  full  ///< the whole event as an object, with topic, time and metadata
};

/// Appends one event of a stream as a Server-Sent Event with id, type and data. Line breaks in any
/// field stay within it.
void append_stream_frame(std::string& out, const stream_event& e, stream_format format);

/// The beginning of a response: how long to wait before coming back, and the id to come back with
/// when nothing else was received.
std::string stream_prologue(std::uint64_t retry_ms, std::uint64_t newest_id);

/// The number in a `Last-Event-ID`; nothing when it is none that this program can have sent.
std::optional<std::uint64_t> parse_event_id(std::string_view text);

} // namespace gasoline
