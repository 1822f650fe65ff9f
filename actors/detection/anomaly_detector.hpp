#pragma once

#include "actors/alerts/batch_alerts.hpp"
#include "actors/detection/build_watch.hpp"
#include "actors/detection/cause_window.hpp"
#include "actors/detection/error_spike.hpp"
#include "actors/detection/session_checks.hpp"
#include "actors/detection/socket_watch.hpp"
#include "config/limits.hpp"
#include "messages/actors.hpp"

#include <deque>
#include <optional>
#include <string>

namespace gasoline {

/// The spikes of one kind of event, and what has been told of the one that lasts.
struct spike_watch {
  alert_topic kind = alert_topic::errors;
  error_spike rate{limits{}};
  bool alerted = false;               ///< an alert of its own told of the one that lasts
  std::uint64_t shown = 0;            ///< events that it said
  severity level = severity::warning; ///< of the alert that told
  std::uint64_t total = 0;            ///< events since it began
  mono_time began{};
  redacted_text last;          ///< what happened last
  redacted_text last_told_key; ///< of the newest alert that told one of its events
};

struct anomaly_detector_state {
  static inline const char* name = "anomaly_detector";

  explicit anomaly_detector_state(anomaly_detector_actor::pointer) {}

  alert_hub_actor hub;
  wall_clock clock;
  limits_of<alert_room, detection_room, push_room> limit;
  spike_watch errors;
  spike_watch failures;
  cause_window causes;
  socket_watch sockets;
  build_watch builds;
  session_checks checks;
  batch_alerts fold{1};
  std::deque<std::string> hinted;   ///< pages that have been told about cross-origin scripts
  std::optional<mono_time> tick_at; ///< when the next tick comes; nothing: none is on its way
  std::uint64_t errors_seen = 0;
  std::uint64_t failures_seen = 0;
  std::uint64_t joined = 0; ///< events that became evidence of an alert
  std::uint64_t spikes = 0;
  std::uint64_t alerts_raised = 0;
};

/// What it subscribes to.
inline constexpr telemetry_kinds anomaly_kinds{telemetry_kind::log, telemetry_kind::body,
                                               telemetry_kind::request, telemetry_kind::socket};

/// Uncaught errors, errors that frameworks and development servers only print, failed requests,
/// WebSockets that stay away and security findings, each as an alert; what one cause brings about
/// within a moment as one alert with evidence; and spikes in the rate of errors and of network
/// failures, counted apart, as far as no other alert told of them. Events marked as noise are left
/// out. The alerts of a batch go to `hub` as one message; `clock` labels them.
anomaly_detector_actor::behavior_type
anomaly_detector(anomaly_detector_actor::stateful_pointer<anomaly_detector_state> self,
                 alert_hub_actor hub, wall_clock clock,
                 limits_of<alert_room, detection_room, push_room> limit);

} // namespace gasoline
