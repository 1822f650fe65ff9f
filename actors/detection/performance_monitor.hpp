#pragma once

#include "actors/detection/page_baseline.hpp"
#include "config/settings.hpp"
#include "messages/actors.hpp"

#include <re2/re2.h>

#include <memory>
#include <vector>

namespace gasoline {

/// A budget with its page pattern compiled.
struct compiled_budget {
  page_metric metric = page_metric::lcp;
  std::unique_ptr<re2::RE2> page;
  double limit = 0;
};

struct performance_monitor_state {
  static inline const char* name = "performance_monitor";

  explicit performance_monitor_state(performance_monitor_actor::pointer) {}

  alert_hub_actor hub;
  wall_clock clock;
  limits_of<alert_room, detection_room, push_room> limit;
  page_baseline baseline{limits{}};
  std::vector<compiled_budget> budgets;
  std::uint64_t samples = 0;
  std::uint64_t regressions = 0;
  std::uint64_t over_budget = 0;
  std::uint64_t dropped = 0; ///< alerts beyond the cap of one batch
};

/// What it subscribes to.
inline constexpr telemetry_kinds performance_kinds{telemetry_kind::load, telemetry_kind::request};

/// Compares page loads with the baseline of their page and with the budgets: one alert for one
/// load, however many of its metrics got worse, led by the one that explains the others. Looks at
/// performance events and ignores all others. The alerts of a batch go to `hub` as one message.
performance_monitor_actor::behavior_type
performance_monitor(performance_monitor_actor::stateful_pointer<performance_monitor_state> self,
                    alert_hub_actor hub, wall_clock clock,
                    const std::vector<performance_budget>& budgets,
                    limits_of<alert_room, detection_room, push_room> limit);

} // namespace gasoline
