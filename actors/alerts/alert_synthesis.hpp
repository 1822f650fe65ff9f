#pragma once

#include "config/limits.hpp"
#include "messages/alerts/merged_alert.hpp"
#include "messages/alerts/told_alerts.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace gasoline {

// What an agent is told about its unread alerts. Pure functions.

/// One element of the block: an alert, or a regression and an anomaly told as one.
struct situation {
  merged_alert shown;
  std::vector<std::uint64_t> ids; ///< of the entries that it stands for
};

/// Joins each regression with the anomaly nearest in time, when that is at most
/// `limit.alert.correlation_ms` away, by the moments at which they were raised. The compound is a
/// regression with both titles and details and the higher severity.
std::vector<situation> correlate(const std::vector<merged_alert>& unread,
                                 const limits_of<alert_room, push_room>& limit);

/// `4 alerts: 1 regression, 2 anomalies, 1 CI failure`, for the first `count` situations.
std::string summary_line(const std::vector<situation>& situations, std::size_t count);

/// The block for a tool result, and what stays unread because it did not fit.
struct synthesis {
  alert_block block;
  std::vector<std::uint64_t> left; ///< ids of the entries that are not told
};

/// Builds the block of these unread entries; empty text for no entries.
synthesis synthesise(const std::vector<merged_alert>& unread,
                     const limits_of<alert_room, push_room>& limit);

} // namespace gasoline
