#pragma once

#include "actors/alerts/alert_recurrence.hpp"
#include "config/limits.hpp"
#include "messages/actors.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace gasoline {

struct alert_hub_state {
  static inline const char* name = "alert_hub";

  // First, because CAF would initialise a typed handle in this place with the actor itself.
  limits_of<alert_room, entry_room, push_room> limit;
  alert_buffer_actor buffer;
  std::vector<alert_sink> clients;
  std::optional<alert_recurrence> recurrence;
  std::uint64_t last_id = 0;
};

/// Numbers the alerts of all detectors and tells the buffer and every joined client. Texts are cut
/// to the limits here, so that whatever keeps alerts is bounded by its count. A client leaves by
/// ending.
alert_hub_actor::behavior_type alert_hub(alert_hub_actor::stateful_pointer<alert_hub_state> self,
                                         alert_buffer_actor buffer,
                                         limits_of<alert_room, entry_room, push_room> limit);

} // namespace gasoline
