#pragma once

#include "actors/frames/script_reading.hpp"
#include "messages/actors.hpp"

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::script_reading_ptr)

namespace gasoline {

/// Reads files that are too large for the thread of the sockets.
using map_reader_actor = caf::typed_actor<
    // What the file says.
    caf::replies_to<receive_atom, fetched_file_ptr>::with<script_reading_ptr>>;

struct map_reader_state {
  static inline const char* name = "map_reader";
};

/// To be spawned detached.
map_reader_actor::behavior_type
map_reader(map_reader_actor::stateful_pointer<map_reader_state> self, source_map_caps caps);

} // namespace gasoline
