#include "actors/mcp/link/client_timers.hpp"

namespace gasoline {

std::uint64_t client_timers::start(std::chrono::milliseconds delay, std::function<void()> then) {
  const auto timer = ++last_;
  waiting_.emplace(timer, std::move(then));
  self_->delayed_send(self_, delay, tick_atom_v, timer);
  return timer;
}

void client_timers::stop(std::uint64_t timer) {
  waiting_.erase(timer);
}

void client_timers::stop_all() {
  waiting_.clear();
}

void client_timers::run(std::uint64_t timer) {
  auto node = waiting_.extract(timer);
  if (!node.empty())
    node.mapped()();
}

} // namespace gasoline
