#pragma once

#include "actors/alerts/batch_alerts.hpp"
#include "actors/detection/error_spike.hpp"
#include "config/limits.hpp"
#include "messages/actors.hpp"

#include <deque>
#include <string>

namespace gasoline {

struct anomaly_detector_state {
  static inline const char* name = "anomaly_detector";

  explicit anomaly_detector_state(anomaly_detector_actor::pointer) {}

  alert_hub_actor hub;
  wall_clock clock;
  limits limit;
  error_spike errors{limits{}};
  error_spike failures{limits{}};
  batch_alerts fold{1};
  std::deque<std::string> hinted; ///< pages that have been told about cross-origin scripts
  redacted_text last_error;
  redacted_text last_failure;
  std::uint64_t errors_seen = 0;
  std::uint64_t failures_seen = 0;
  std::uint64_t spikes = 0;
  std::uint64_t alerts_raised = 0;
};

/// Uncaught errors, failed requests, lost WebSockets and security findings, each as an alert, and
/// spikes in the rate of errors and of network failures, counted apart. Events marked as noise are
/// left out. The alerts of a batch go to `hub` as one message; `clock` labels them.
anomaly_detector_actor::behavior_type
anomaly_detector(anomaly_detector_actor::stateful_pointer<anomaly_detector_state> self,
                 alert_hub_actor hub, wall_clock clock, limits limit);

} // namespace gasoline
