#pragma once

#include "actors/redaction/redaction_engine.hpp"
#include "actors/resolution/followed_faults.hpp"
#include "config/limits.hpp"
#include "messages/alert_actors.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gasoline {

/// Who knows what changed, and for whom.
struct resolution_sources {
  alert_hub_actor hub;
  alert_ledger_actor alerts; ///< which project a fault is of
  mark_log_actor marks;      ///< what changed there
};

struct resolution_watch_state {
  static inline const char* name = "resolution_watch";

  explicit resolution_watch_state(resolution_watch_actor::pointer) {}

  resolution_sources to;
  wall_clock clock;
  std::shared_ptr<const redaction_engine> redaction;
  followed_faults faults;
  std::optional<mono_time> tick_at; ///< when the next tick comes; nothing: none is on its way
  std::uint64_t trials = 0;
  std::uint64_t resolved = 0;
};

/// What it subscribes to.
inline constexpr telemetry_kinds resolution_kinds{telemetry_kind::log, telemetry_kind::body,
                                                  telemetry_kind::request, telemetry_kind::action,
                                                  telemetry_kind::load};

/// Tells of faults that are over: not seen again although their page was loaded and used in the
/// same way, after something has changed. Each is one alert of severity info that ends the fault's,
/// and says which change came between.
resolution_watch_actor::behavior_type
resolution_watch(resolution_watch_actor::stateful_pointer<resolution_watch_state> self,
                 resolution_sources to, wall_clock clock,
                 std::shared_ptr<const redaction_engine> redaction,
                 const limits_of<alert_room, detection_room>& limit);

} // namespace gasoline
