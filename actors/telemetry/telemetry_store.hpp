#pragma once

#include "actors/telemetry/change_watchers.hpp"
#include "actors/telemetry/telemetry_buffers.hpp"
#include "messages/actors.hpp"

#include <optional>
#include <vector>

namespace gasoline {

struct telemetry_store_state {
  static inline const char* name = "telemetry_store";

  std::optional<telemetry_buffers> buffers;
  alert_hub_actor hub;
  wall_clock clock;
  limits_of<detection_room, memory_room, store_room> limit;
  std::vector<pressure_sink> pressure_listeners;
  change_watchers errors{watched_part::errors};
  change_watchers telemetry{watched_part::telemetry};
  memory_pressure pressure = memory_pressure::normal;
  std::uint64_t pressure_changes = 0;
  bool watching = false; ///< a tick is on its way
  bool any_source_seen = false;
};

/// Keeps events and answers queries; tells `hub` and its listeners when memory pressure changes.
telemetry_store_actor::behavior_type
telemetry_store(telemetry_store_actor::stateful_pointer<telemetry_store_state> self,
                alert_hub_actor hub, wall_clock clock,
                limits_of<detection_room, memory_room, store_room> limit);

} // namespace gasoline
