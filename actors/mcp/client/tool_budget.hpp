#pragma once

#include "actors/push/rate_window.hpp"

#include <chrono>
#include <cstdint>
#include <optional>

namespace gasoline {

/// How many tools one client may call: at most so many in any minute. Knows no clock.
class tool_budget {
 public:
  explicit tool_budget(std::uint64_t per_minute) : calls_(per_minute, std::chrono::minutes{1}) {}

  /// Counts one call. When it may not run now: how long until one may, and nothing is counted.
  std::optional<std::chrono::seconds> take(mono_time now) {
    if (!calls_.take(now))
      return std::chrono::ceil<std::chrono::seconds>(calls_.next_free(now) - now);
    ++total_;
    return std::nullopt;
  }

  /// Calls that were allowed so far.
  std::uint64_t total() const { return total_; }

 private:
  rate_window calls_;
  std::uint64_t total_ = 0;
};

} // namespace gasoline
