#pragma once

#include "config/limits.hpp"
#include "messages/alerts/alert_taxonomy.hpp"
#include "messages/base/time.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace gasoline {

/// A rate that rose far above its own recent average.
struct spike {
  std::uint64_t recent = 0; ///< events in the window that ends now
  std::uint64_t untold = 0; ///< of these, events that no alert of their own has told
  double average = 0;       ///< events per window over the time before it
  severity level = severity::warning;
};

/// Counts events in buckets of one second and tells when their rate spikes: more in the last
/// `anomaly_window_ms` than 3 x the average per window over the `anomaly_history_ms` before, and at
/// least `anomaly_min_events` while that average is under 1. Severity error above 10 x the average,
/// or 10 x 1 while it is under 1. A second is the granularity: the window is the current second and
/// the full ones before it. One spike is told once, also when its rate lasts; the next one needs
/// the rate to have fallen to half of its peak, or less, for a whole window. O(1) per event; a
/// pause costs at most one step per bucket.
class error_spike {
 public:
  explicit error_spike(const limits_of<detection_room>& limit);

  /// Counts `events` at `now`, which must not go backwards; `untold` of them were told by no alert
  /// of their own. Answers a spike once.
  std::optional<spike> add(mono_time now, std::uint64_t events, std::uint64_t untold);

  /// Lets time pass without an event.
  void pass(mono_time now) { move_to(second_of(now)); }

  /// The spike that lasts, as it is now; nothing when there is none.
  std::optional<spike> lasting() const;

  std::uint64_t recent() const noexcept { return recent_; }

 private:
  static std::int64_t second_of(mono_time now);
  spike state() const;
  void move_to(std::int64_t second);
  void step();
  void forget_all();
  std::size_t index_of(std::int64_t second) const;
  double average() const;
  bool is_high() const;

  std::int64_t window_;  // buckets
  std::int64_t history_; // buckets
  std::uint64_t min_events_;
  std::vector<std::uint64_t> buckets_;
  std::vector<std::uint64_t> untold_buckets_;
  std::int64_t second_ = 0;
  bool started_ = false;
  bool told_ = false;
  std::int64_t low_for_ = 0; // seconds, while one is told
  std::uint64_t peak_ = 0;   // of the one that is told
  std::uint64_t recent_ = 0;
  std::uint64_t untold_ = 0; // of `recent_`
  std::uint64_t before_ = 0;
};

} // namespace gasoline
