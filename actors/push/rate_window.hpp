#pragma once

#include "messages/base/time.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <vector>

namespace gasoline {

/// At most `max` events in any window of that length. Remembers the
/// last `max` moments, so the window slides with every event and has no edge to exploit.
class rate_window {
 public:
  /// `max` is at least 1.
  rate_window(std::size_t max, std::chrono::nanoseconds window) : max_(max), window_(window) {}

  /// The earliest moment, not before `now`, at which an event may happen.
  mono_time next_free(mono_time now) const {
    if (times_.size() < max_)
      return now;
    return std::max(now, times_[oldest_] + window_);
  }

  /// Counts an event at `now`, or answers false and counts nothing when the window is full. `now`
  /// must not go backwards between calls.
  bool take(mono_time now) {
    if (next_free(now) > now)
      return false;
    if (times_.size() < max_) {
      times_.push_back(now);
      return true;
    }
    times_[oldest_] = now;
    oldest_ = (oldest_ + 1) % max_;
    return true;
  }

 private:
  std::size_t max_;
  std::chrono::nanoseconds window_;
  std::vector<mono_time> times_; ///< a ring once it holds `max_`
  std::size_t oldest_ = 0;
};

} // namespace gasoline
