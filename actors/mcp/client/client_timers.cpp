#include "actors/mcp/client/client_timers.hpp"

namespace gasoline {

std::uint64_t start_timer(client_pointer self, std::chrono::milliseconds delay,
                          std::function<void()> then) {
  const auto timer = ++self->state.last_timer;
  self->state.timers.emplace(timer, std::move(then));
  self->delayed_send(self, delay, tick_atom_v, timer);
  return timer;
}

void stop_timer(client_pointer self, std::uint64_t timer) {
  self->state.timers.erase(timer);
}

void run_timer(client_pointer self, std::uint64_t timer) {
  auto node = self->state.timers.extract(timer);
  if (!node.empty())
    node.mapped()();
}

} // namespace gasoline
