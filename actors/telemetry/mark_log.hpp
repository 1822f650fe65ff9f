#pragma once

#include "config/limits.hpp"
#include "messages/actors.hpp"

namespace gasoline {

struct mark_log_state {
  static inline const char* name = "mark_log";

  explicit mark_log_state(mark_log_actor::pointer) {}

  telemetry_marks marks; ///< the newest last
  std::uint64_t most = 0;
  std::uint64_t set = 0;
};

/// Keeps the points in time that clients have named, for all of them; the oldest leave.
mark_log_actor::behavior_type mark_log(mark_log_actor::stateful_pointer<mark_log_state> self,
                                       const limits_of<store_room>& limit);

} // namespace gasoline
