#pragma once

#include "actors/streams/stream_directory.hpp"
#include "config/limits.hpp"
#include "messages/streams/named_stream.hpp"

#include <optional>
#include <string>
#include <vector>

namespace gasoline {

/// What a command has done, besides its answer: who waits for it has to be told.
struct stream_effects {
  std::string stream;                   ///< that was changed; empty: none
  std::vector<stream_event_ptr> events; ///< that were published there
  bool changed = false;                 ///< it is there, gone or emptied
  bool deleted = false;
  std::string ended_subscription; ///< empty: none
};

/// Carries out a command on the directory.
stream_answer run_stream_command(stream_directory& directory, const stream_command& command,
                                 wall_time now,
                                 const limits_of<entry_room, ingest_room, stream_room>& limit,
                                 stream_effects& effects);

/// The answer to a list of events, with why some were refused, in the order of the list.
stream_answer published_list_answer(const std::vector<std::optional<stream_refusal>>& refusals,
                                    wall_time now,
                                    const limits_of<entry_room, ingest_room, stream_room>& limit);

/// The answer to a refused command.
stream_answer answer_of(const stream_refusal& refusal);

} // namespace gasoline
