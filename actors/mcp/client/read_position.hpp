#pragma once

#include <cstdint>

namespace gasoline {

/// Where one client reads events from.
class read_position {
 public:
  /// Events up to this sequence are not shown.
  std::uint64_t cleared_sequence() const { return cleared_; }

  /// Starts reading behind that event.
  void clear_to(std::uint64_t sequence) { cleared_ = sequence; }

 private:
  std::uint64_t cleared_ = 0;
};

} // namespace gasoline
