#include "actors/base/side_worker.hpp"

#include "actors/base/exception_guard.hpp"

namespace gasoline {

side_worker_actor::behavior_type
side_worker(side_worker_actor::stateful_pointer<side_worker_state> self, side_worker_life life) {
  guard_exceptions(self);
  return {
      [self, life](write_atom, const side_work_ptr& work) {
        if (life == side_worker_life::one_task)
          self->quit();
        (*work)();
        return true;
      },
  };
}

} // namespace gasoline
