#pragma once

#include "actors/streams/stream_checks.hpp"
#include "config/limits.hpp"
#include "messages/streams/named_stream.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gasoline {

/// One entry of a POST: an event, or why it is none.
using posted_event = stream_result<publish_event>;

/// What the body of a POST holds.
struct posted_events {
  bool is_list = false;
  std::vector<posted_event> entries; ///< one unless it is a list
};

/// Reads the body of `POST /streams/{name}/events`, an object `{data, event_type?, topic?,
/// metadata?}` or an array of such. The error says why the body as a whole is refused.
stream_result<posted_events> read_posted_events(const post_events& post,
                                                const limits_of<ingest_room, stream_room>& limit);

/// Reads the body of `POST /streams`, an object `{name, stream_type?, buffer_size?}`.
stream_result<create_stream> read_posted_stream(const std::string& body,
                                                const limits_of<ingest_room, stream_room>& limit);

} // namespace gasoline
