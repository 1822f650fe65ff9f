#pragma once

#include "messages/telemetry/event.hpp"

#include <cstdint>
#include <deque>

namespace gasoline {

/// Consecutive errors of one fault, service, page and noise mark, side by side in their ring.
struct fault_run {
  event_ptr newest;
  std::uint64_t events = 0; ///< how many errors are in the run
  std::uint64_t count = 0;  ///< how often the fault was seen in them
  wall_time first_at{};     ///< the earliest time in them
};

/// The runs of a ring of errors, oldest first, so that a question need not look at each error of a
/// flood. Events that are no fault are in no run.
class fault_runs {
 public:
  /// Notes an event that was appended to the ring.
  void push(const event_ptr& e);

  /// Forgets an event that was the oldest of the ring.
  void evict(const event& e);

  /// Of the first, the oldest errors may be gone: its count and time are not those of what is left.
  const std::deque<fault_run>& runs() const { return runs_; }

 private:
  std::deque<fault_run> runs_;
  bool goes_on_ = false; ///< the last event of the ring is in the last run
};

} // namespace gasoline
