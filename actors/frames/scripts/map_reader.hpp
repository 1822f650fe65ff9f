#pragma once

#include "actors/frames/scripts/script_reading.hpp"
#include "messages/actors.hpp"

#include <cstdint>
#include <string>

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::script_reading_ptr)

namespace gasoline {

/// Reads files that are too large for the thread of the sockets, and those on the disk.
using map_reader_actor = caf::typed_actor<
    // What the file says.
    caf::replies_to<receive_atom, fetched_file_ptr>::with<script_reading_ptr>,
    // What the script at that path says.
    caf::replies_to<query_atom, std::string>::with<script_reading_ptr>>;

struct map_reader_state {
  static inline const char* name = "map_reader";
};

/// To be spawned detached. A script on the disk may have `script_bytes`.
map_reader_actor::behavior_type
map_reader(map_reader_actor::stateful_pointer<map_reader_state> self, source_map_caps caps,
           std::uint64_t script_bytes);

} // namespace gasoline
