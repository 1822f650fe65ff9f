#include "actors/base/actor_timers.hpp"

#include <caf/all.hpp>

#include <utility>

namespace gasoline {

std::uint64_t actor_timers::start(caf::scheduled_actor* self, std::chrono::nanoseconds delay,
                                  std::function<void()> then) {
  // The clock can take back the time limit of a request and nothing else, so a timer is one: of a
  // request that nobody was sent.
  if (last_ == 0)
    self->attach_functor([self] { self->clock().cancel_timeouts(self); });
  const auto number = ++last_;
  const auto id = self->new_request_id(caf::message_priority::normal).response_id();
  waiting_.emplace(number, timer{id, std::move(then)});
  self->add_multiplexed_response_handler(
      id, caf::behavior{[this, number](const caf::error&) { run(number); }});
  self->clock().set_request_timeout(self->clock().now() + delay, self, id);
  return number;
}

void actor_timers::stop(caf::scheduled_actor* self, std::uint64_t number) {
  const auto node = waiting_.extract(number);
  if (node.empty())
    return;
  const auto id = node.mapped().id;
  self->clock().cancel_request_timeout(self, id);
  // An answer, so that the actor forgets the request; `run` does nothing for it.
  self->eq_impl(id, nullptr, self->context(), caf::make_error(caf::sec::request_timeout));
}

void actor_timers::stop_all(caf::scheduled_actor* self) {
  while (!waiting_.empty())
    stop(self, waiting_.begin()->first);
}

void actor_timers::run(std::uint64_t number) {
  const auto node = waiting_.extract(number);
  if (!node.empty())
    node.mapped().then();
}

} // namespace gasoline
