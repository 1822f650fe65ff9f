#pragma once

#include "config/limits.hpp"
#include "messages/telemetry/event.hpp"

#include <deque>
#include <memory>

namespace gasoline {

using ci_result_ptr = std::shared_ptr<const ci_result>;

/// One remembered CI result.
struct ci_entry {
  ci_result_ptr result;
  wall_time at{};
};

/// What a new CI result means next to the earlier ones.
enum class ci_news : std::uint8_t {
  repeated, ///< the same key is still the latest of its source and ref: updated in place
  reported, ///< a new result
  recovered ///< a success, and the one before it of that source and ref was none
};

/// The last `ci_results` results. The key is source, commit and
/// status, with the ref in place of a missing commit.
class ci_history {
 public:
  explicit ci_history(const limits& limit);

  ci_news add(ci_result_ptr result, wall_time at);

  /// Oldest first.
  const std::deque<ci_entry>& entries() const noexcept { return entries_; }

 private:
  std::size_t most_;
  std::deque<ci_entry> entries_;
};

} // namespace gasoline
