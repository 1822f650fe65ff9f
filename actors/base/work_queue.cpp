#include "actors/base/work_queue.hpp"

#include "actors/base/exception_guard.hpp"

#include <nlohmann/json.hpp>

#include <utility>

namespace gasoline {
namespace {

using queue_self = work_queue_actor::stateful_pointer<work_queue_state>;

void do_next(queue_self self);

template <class Answer>
void end_first(queue_self self, const Answer& answer) {
  auto& state = self->state;
  auto first = std::move(state.waiting.front());
  state.waiting.pop_front();
  ++state.done;
  first.work = nullptr; // what it held goes before the answer is read
  first.asked.deliver(answer);
  do_next(self);
}

/// A worker of its own for each, so that one that fails takes nobody with it.
void do_next(queue_self self) {
  const auto& waiting = self->state.waiting;
  if (waiting.empty())
    return;
  const auto worker = self->spawn<caf::detached>(side_worker, side_worker_life::one_task);
  self->request(worker, caf::infinite, write_atom_v, waiting.front().work)
      .then([self](bool well) { end_first(self, well); },
            [self](const caf::error& reason) { end_first(self, reason); });
}

health_part health(const work_queue_state& state) {
  return std::make_shared<const nlohmann::json>(nlohmann::json{
      {"analyses",
       {{"waiting", state.waiting.size()}, {"done", state.done}, {"refused", state.refused}}}});
}

} // namespace

work_queue_actor::behavior_type work_queue(queue_self self, work_place place, std::uint64_t most) {
  guard_exceptions(self);
  return {
      [self](health_atom) { return health(self->state); },
      [self, place, most](write_atom, const side_work_ptr& work) -> caf::result<bool> {
        auto& state = self->state;
        if (state.waiting.size() >= most) {
          ++state.refused;
          return false;
        }
        if (place == work_place::at_once) {
          (*work)();
          ++state.done;
          return true;
        }
        auto asked = self->make_response_promise<bool>();
        state.waiting.push_back({work, asked});
        if (state.waiting.size() == 1)
          do_next(self);
        return asked;
      },
  };
}

} // namespace gasoline
