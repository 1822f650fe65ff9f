#pragma once

#include "messages/actors.hpp"
#include "messages/base/file_descriptor.hpp"

#include <filesystem>

namespace gasoline {

struct recorder_state {
  static inline const char* name = "recorder";

  file_descriptor file;   ///< for the user alone: it holds bodies and addresses of private projects
  bool is_written = true; ///< no write has failed
  mono_time started{};
  std::uint64_t steps = 0;
};

/// Writes a scenario file from redacted traffic: what was posted, which tools
/// were called, which notifications went out. Spawn it detached, since it writes to a disk.
recorder_actor::behavior_type recorder(recorder_actor::stateful_pointer<recorder_state> self,
                                       const std::filesystem::path& file, wall_time started_at);

} // namespace gasoline
