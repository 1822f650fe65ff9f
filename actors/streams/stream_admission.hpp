#pragma once

#include "actors/streams/stream_directory.hpp"
#include "config/limits.hpp"
#include "messages/streams/named_stream.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace gasoline {

/// The command as this caller gives it: a stream that is made becomes the caller's, a body that
/// makes one is read, a list is of the caller's streams. Refused when it is about a stream of
/// somebody else's.
stream_result<stream_command> admitted_command(const stream_directory& directory,
                                               stream_command command, const asking_party& caller,
                                               const limits_of<ingest_room, stream_room>& limit);

/// Why this caller may not use the stream; nothing when it may, or there is no such stream.
std::optional<stream_refusal> not_yours(const stream_directory& directory, const std::string& name,
                                        const asking_party& caller);

} // namespace gasoline
