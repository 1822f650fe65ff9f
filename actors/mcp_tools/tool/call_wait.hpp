#pragma once

#include "messages/base/time.hpp"

#include <algorithm>
#include <chrono>
#include <optional>

namespace gasoline {

/// How long one call waits for something to happen, and when it shows progress. Knows no clock.
class call_wait {
 public:
  /// `every`: how often progress is shown; nothing: the client gave no token, and nothing happens
  /// before the end.
  call_wait(mono_time begun, std::chrono::seconds length,
            std::optional<std::chrono::milliseconds> every)
      : begun_(begun), length_(length), every_(every) {}

  /// What to do at a moment.
  struct step {
    bool over = false;                              ///< the limit has been reached
    std::optional<std::chrono::seconds> progressed; ///< progress to show: seconds waited
    std::chrono::nanoseconds next{0};               ///< until the next look
  };

  step at(mono_time now) const {
    const auto waited = now - begun_;
    if (waited >= length_)
      return {true, std::nullopt, std::chrono::nanoseconds{0}};
    const auto left = length_ - waited;
    if (!every_)
      return {false, std::nullopt, left};
    const auto shown = std::chrono::duration_cast<std::chrono::seconds>(waited);
    return {false, shown, std::min<std::chrono::nanoseconds>(left, *every_ - waited % *every_)};
  }

  std::chrono::seconds length() const { return length_; }

 private:
  mono_time begun_;
  std::chrono::seconds length_;
  std::optional<std::chrono::milliseconds> every_;
};

} // namespace gasoline
