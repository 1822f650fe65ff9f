#pragma once

#include "actors/noise/noise_rules.hpp"
#include "actors/noise/repeat_table.hpp"
#include "messages/actors.hpp"

#include <optional>
#include <vector>

namespace gasoline {

/// A detector and the kinds of telemetry that it wants to see. It gets whole batches, so it also
/// sees, and passes over, what came with them.
struct detector_subscription {
  event_sink detector;
  telemetry_kinds kinds;
};

/// Where the noise filter sends what it has marked.
struct noise_filter_targets {
  telemetry_store_actor store;
  std::vector<detector_subscription> detectors;
  alert_hub_actor hub;
  recorder_actor recorder; ///< may be null: then nothing is recorded
};

struct noise_filter_state {
  static inline const char* name = "noise_filter";

  explicit noise_filter_state(noise_filter_actor::pointer) {}

  noise_filter_targets targets;
  wall_clock clock;
  limits_of<alert_room, noise_room> limit;
  noise_rules rules{limits{}};
  repeat_table repeats{limits{}};
  std::uint64_t sequence = 0; ///< of the newest event
  std::uint64_t marked = 0;
  std::uint64_t hints = 0;
  bool self_test_passed = false;
};

/// Numbers the events of all kinds, marks those that are noise, and passes each batch on: always
/// to the store, and to the detectors that want to see one of its kinds. Answers `noise_rule`
/// commands with compact JSON.
noise_filter_actor::behavior_type
noise_filter(noise_filter_actor::stateful_pointer<noise_filter_state> self,
             noise_filter_targets targets, wall_clock clock,
             limits_of<alert_room, noise_room> limit);

} // namespace gasoline
