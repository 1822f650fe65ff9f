#pragma once

#include "config/limits.hpp"
#include "messages/streams/named_stream.hpp"

#include <tl/expected.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace gasoline {

/// Why a stream does not do what it was asked for.
struct stream_refusal {
  stream_outcome outcome = stream_outcome::invalid;
  std::string sentence;
};

template <class T>
using stream_result = tl::expected<T, stream_refusal>;

/// Why a name cannot be given to a stream, or nothing.
std::optional<stream_refusal> stream_name_problem(std::string_view name);

/// Why a new event cannot be taken, or nothing: its type, topic and sizes. `data` and `metadata`
/// are JSON.
std::optional<stream_refusal> event_problem(const publish_event& e,
                                            const limits_of<stream_room>& limit);

/// A text of the user's inside a sentence: in quotes, cut, without control characters.
std::string quoted_text(std::string_view text);

} // namespace gasoline
