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
  repeated,  ///< the same key is still the latest of its source and ref: updated in place
  reported,  ///< a new result
  recovered, ///< a success, and the one before it of that source, ref and job was none
  outdated   ///< of an older attempt, or of a state that is over: changes nothing
};

/// A result next to the earlier ones.
struct ci_verdict {
  ci_news news = ci_news::reported;
  ci_result_ptr ended;   ///< the failure that is over, for `recovered`
  ci_result_ptr known{}; ///< what all reports of the run tell, for `repeated`
};

/// Whether the run ended, and in what way that concerns its branch.
bool is_failed(ci_status status);
bool is_decided(ci_status status);

/// What tells the runs of one commit apart: the job where one is named, else the run's URL without
/// its attempt.
redacted_text ci_run_of(const ci_result& r);

/// The last `ci_results` results. The key is source, commit (the ref in place of a missing one),
/// status and run. An older attempt never takes the place of a newer one.
class ci_history {
 public:
  explicit ci_history(const limits_of<detection_room>& limit);

  ci_verdict add(ci_result_ptr result, wall_time at);

  /// Oldest first.
  const std::deque<ci_entry>& entries() const noexcept { return entries_; }

 private:
  ci_entry* newest_of_run(const ci_result& r);
  ci_result_ptr failure_before(const ci_result& r) const;

  std::size_t most_;
  std::size_t most_failures_;
  std::deque<ci_entry> entries_;
};

} // namespace gasoline
