#pragma once

#include "actors/detection/ci_history.hpp"
#include "actors/telemetry/change_watchers.hpp"
#include "messages/actors.hpp"

namespace gasoline {

struct ci_monitor_state {
  static inline const char* name = "ci_monitor";

  explicit ci_monitor_state(ci_monitor_actor::pointer) {}

  alert_hub_actor hub;
  wall_clock clock;
  limits_of<alert_room, detection_room> limit;
  ci_history history{limits{}};
  change_watchers watchers{watched_part::ci};
  std::uint64_t received = 0;
  std::uint64_t failed = 0;
};

/// What it subscribes to.
inline constexpr telemetry_kinds ci_kinds{telemetry_kind::ci};

/// Keeps the last CI results and tells about each new one: failures as errors, an unstable or
/// cancelled run and a word that is not known as warnings, successes as `info`, nothing of what was
/// skipped or has not ended. A redelivery updates what was told. Looks at CI events and ignores all
/// others.
ci_monitor_actor::behavior_type
ci_monitor(ci_monitor_actor::stateful_pointer<ci_monitor_state> self, alert_hub_actor hub,
           wall_clock clock, limits_of<alert_room, detection_room> limit);

} // namespace gasoline
