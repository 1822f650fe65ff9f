#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

namespace gasoline {

/// The times of the last messages, by which one that is said again is known: a browser repeats its
/// last 1,000 console messages whenever a page comes back or changes its process. Their times have
/// fractions of microseconds, so no two of a page are the same.
class recent_times {
 public:
  /// Whether that time is a new one, which it is not from then on.
  bool is_new(double at) {
    if (at <= newest_ && std::find(times_.begin(), times_.end(), at) != times_.end())
      return false;
    newest_ = std::max(newest_, at);
    times_[next_] = at;
    next_ = (next_ + 1) % times_.size();
    return true;
  }

 private:
  static constexpr std::size_t repeated_messages = 1'000;

  std::array<double, repeated_messages> times_{};
  std::size_t next_ = 0;
  double newest_ = -1;
};

} // namespace gasoline
