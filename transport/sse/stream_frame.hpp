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

// The id of an event there is `LIFE-NUMBER`, such as `3fa94c1e-12`: eight hexadecimal digits for
// the life of the stream, then the number of the event, which counts from 1 in each life. So an id
// that a reader has from a stream of that name that was deleted, or from an engine that has ended,
// is known as such. A number alone is understood as well, for those who count by themselves.

/// Appends one event of a stream as a Server-Sent Event with id, type and data. Line breaks in any
/// field stay within it.
void append_stream_frame(std::string& out, const stream_event& e, stream_format format);

/// The beginning of a response: how long to wait before coming back, and the id to come back with
/// when nothing else was received.
std::string stream_prologue(std::uint64_t retry_ms, stream_life life, std::uint64_t id);

/// The mark for a reader whose place cannot be trusted; empty when it can.
std::string place_mark(place_of_reader place, std::uint64_t id);

/// The mark for events that a reader will not get.
std::string missed_mark(std::uint64_t events);

/// What a `Last-Event-ID` says; nothing when it is none that this program can have sent.
std::optional<stream_place> parse_event_id(std::string_view text);

} // namespace gasoline
