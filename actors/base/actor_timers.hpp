#pragma once

#include <caf/scheduled_actor.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>

namespace gasoline {

/// The timers of one actor, part of its state. A delayed message would hold its actor, with all
/// that the actor holds, until it is due; of a timer that was stopped, and of all timers of an
/// actor that has ended, nothing stays in the clock. Used by that actor alone.
class actor_timers {
 public:
  /// Runs `then` on the actor after the delay, unless the timer is stopped or the actor ends
  /// first. Answers the number that stops it, which is never 0.
  std::uint64_t start(caf::scheduled_actor* self, std::chrono::nanoseconds delay,
                      std::function<void()> then);

  /// Stops a timer; nothing when it has run or was stopped.
  void stop(caf::scheduled_actor* self, std::uint64_t number);

  /// Stops all of them.
  void stop_all(caf::scheduled_actor* self);

  /// How many wait.
  std::size_t size() const { return waiting_.size(); }

 private:
  struct timer {
    caf::message_id id; ///< under which the clock tells that it is due
    std::function<void()> then;
  };

  void run(std::uint64_t number);

  std::map<std::uint64_t, timer> waiting_;
  std::uint64_t last_ = 0;
};

} // namespace gasoline
