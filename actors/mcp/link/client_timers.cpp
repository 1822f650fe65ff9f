#include "actors/mcp/link/client_timers.hpp"

#include <utility>

namespace gasoline {

std::uint64_t client_timers::start(std::chrono::milliseconds delay, std::function<void()> then) {
  return timers_.start(self_, delay, std::move(then));
}

void client_timers::stop(std::uint64_t timer) {
  timers_.stop(self_, timer);
}

void client_timers::stop_all() {
  timers_.stop_all(self_);
}

} // namespace gasoline
