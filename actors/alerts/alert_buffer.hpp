#pragma once

#include "actors/alerts/alert_log.hpp"
#include "config/limits.hpp"
#include "messages/actors.hpp"

namespace gasoline {

struct alert_buffer_state {
  static inline const char* name = "alert_buffer";

  alert_log log;
  limits limit;
};

/// The last alerts and a read position per client. A drain answers the
/// block for a tool result and marks what the block tells as read.
alert_buffer_actor::behavior_type
alert_buffer(alert_buffer_actor::stateful_pointer<alert_buffer_state> self, limits limit);

} // namespace gasoline
