#pragma once

#include <cstdint>

namespace gasoline {

/// What one client has read, and where it reads from.
class read_position {
 public:
  /// Events up to this sequence are not shown.
  std::uint64_t cleared_sequence() const { return cleared_; }

  /// Starts reading behind that event.
  void clear_to(std::uint64_t sequence) { cleared_ = sequence; }

  /// Alerts that the client took through tool results.
  std::uint64_t alerts_read() const { return alerts_read_; }
  void count_alerts(std::uint64_t read) { alerts_read_ += read; }

 private:
  std::uint64_t cleared_ = 0;
  std::uint64_t alerts_read_ = 0;
};

} // namespace gasoline
