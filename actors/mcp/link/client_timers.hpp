#pragma once

#include "messages/actors.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>

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

  /// The time of a timer has come.
  void run(std::uint64_t timer);

 private:
  client_actor::pointer self_;
  std::map<std::uint64_t, std::function<void()>> waiting_;
  std::uint64_t last_ = 0;
};

} // namespace gasoline
