#include "actors/mcp_tools/tool/side_work.hpp"

#include "actors/base/exception_guard.hpp"
#include "messages/base/atoms.hpp"
#include "messages/base/spawned_alone.hpp"

#include <caf/all.hpp>

#include <memory>
#include <utility>

namespace gasoline {

/// Shared, since a message is copied.
using side_work_ptr = std::shared_ptr<const std::function<void()>>;

/// Does one piece of work and ends.
using side_worker_actor = caf::typed_actor<caf::replies_to<write_atom, side_work_ptr>::with<bool>>;

} // namespace gasoline

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::side_work_ptr)

namespace gasoline {
namespace {

side_worker_actor::behavior_type side_worker(side_worker_actor::pointer self, spawned_alone) {
  guard_exceptions(self);
  return {
      [self](write_atom, const side_work_ptr& work) {
        self->quit();
        (*work)();
        return true;
      },
  };
}

} // namespace

void do_aside(const tool_call& call, work_size size, std::function<void()> work,
              std::function<void()> then) {
  if (size == work_size::small) {
    work();
    return then();
  }
  const auto worker =
      call.client_handle().home_system().spawn<caf::detached>(side_worker, spawned_alone{});
  call.ask_engine<bool>(
      worker, [then = std::move(then)](bool) { then(); }, write_atom_v,
      std::make_shared<const std::function<void()>>(std::move(work)));
}

} // namespace gasoline
