#pragma once

#include "messages/alerts/alert.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace gasoline {

/// The alerts of one event batch: repeats of a key become one alert with a summed count that says
/// what the worst and newest said, and only so many distinct ones per severity are kept; the alert
/// buffer could not hold more anyway.
class batch_alerts {
 public:
  /// `most` is the number of distinct alerts kept per severity, at least 1.
  explicit batch_alerts(std::uint64_t most) : most_(most) {}

  /// Takes an alert in.
  void add(alert a);

  /// The alerts in the order of their first occurrence; the fold is empty afterwards.
  std::vector<alert> take();

  /// Occurrences that found no room, since the start.
  std::uint64_t dropped() const noexcept { return dropped_; }

 private:
  static constexpr std::size_t most_evidence_ = 5;

  static void merge(alert& first, alert a);

  std::uint64_t most_;
  std::vector<alert> alerts_;
  std::unordered_map<std::string, std::size_t> by_key_;
  std::array<std::uint64_t, 3> kept_{}; // per severity
  std::uint64_t dropped_ = 0;
};

} // namespace gasoline
