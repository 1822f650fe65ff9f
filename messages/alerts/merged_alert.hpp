#pragma once

#include "messages/alerts/alert.hpp"

#include <cstdint>
#include <vector>

namespace gasoline {

/// Repeats of one alert, told as one. The alert buffer and every
/// client's pending batch hold these.
struct merged_alert {
  alert_ptr shown;              ///< the worst occurrence; of equally bad ones the newest
  std::uint64_t id = 0;         ///< of the first occurrence
  std::uint64_t count = 0;      ///< occurrences, sender-side sums included
  std::uint32_t recurrence = 0; ///< earlier alerts with this key, before the first occurrence
  std::uint32_t regressed = 0; ///< how often the fault was back, when the first occurrence was that
  wall_time at{};              ///< of the newest occurrence
  mono_time first_raised{};
  mono_time last_raised{};
  std::vector<redacted_text> also; ///< evidence of all occurrences, a few lines at most

  merged_alert() = default;
  explicit merged_alert(alert_ptr first);

  /// Takes in one more occurrence, or an update of what was said.
  void merge(const alert_ptr& again);
};

/// Worse alerts first, then newer ones.
bool comes_before(const merged_alert& a, const merged_alert& b);

} // namespace gasoline
