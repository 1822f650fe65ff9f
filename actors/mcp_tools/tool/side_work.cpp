#include "actors/mcp_tools/tool/side_work.hpp"

#include "actors/base/side_worker.hpp"

#include <memory>
#include <utility>

namespace gasoline {

void do_aside(const tool_call& call, work_size size, std::function<void()> work,
              std::function<void()> then) {
  if (size == work_size::small) {
    work();
    return then();
  }
  const auto worker = call.client_handle().home_system().spawn<caf::detached>(
      side_worker, side_worker_life::one_task);
  call.ask_engine<bool>(
      worker, [then = std::move(then)](bool) { then(); }, write_atom_v,
      std::make_shared<const side_work>(std::move(work)));
}

} // namespace gasoline
