#pragma once

#include "actors/base/actor_timers.hpp"
#include "messages/actors.hpp"

#include <chrono>
#include <cstdint>
#include <functional>

namespace gasoline {

/// The timers of one client, on the clock of its actor. They end with it.
class client_timers {
 public:
  explicit client_timers(client_actor::pointer self) : self_(self) {}

  /// Runs `then` after the delay, unless it is stopped or the client ends first. Answers the number
  /// that stops it, which is never 0.
  std::uint64_t start(std::chrono::milliseconds delay, std::function<void()> then);

  /// Stops a timer; nothing when it has run.
  void stop(std::uint64_t timer);

  void stop_all();

 private:
  client_actor::pointer self_;
  actor_timers timers_;
};

} // namespace gasoline
