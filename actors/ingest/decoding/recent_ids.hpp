#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string_view>
#include <unordered_set>

namespace gasoline {

/// Which ids came lately, so that what a sender sends twice, or by two ways, is taken once.
/// Bounded: the oldest leave.
class recent_ids {
 public:
  explicit recent_ids(std::size_t most) : most_(most) {}

  /// Whether the id is new; it is not the next time.
  bool add(std::string_view id);

 private:
  std::size_t most_;
  std::unordered_set<std::uint64_t> known_;
  std::deque<std::uint64_t> order_; ///< oldest first
};

} // namespace gasoline
