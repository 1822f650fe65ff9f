#include "actors/mcp_tools/tool/side_work.hpp"

#include <memory>
#include <utility>

namespace gasoline {

void do_aside(const tool_call& call, work_size size, std::function<void()> work,
              std::function<void()> then) {
  if (size == work_size::small) {
    work();
    return then();
  }
  call.ask_engine<bool>(
      call.engine().analyses,
      [call, then = std::move(then)](bool done) {
        if (done)
          return then();
        call.refuse("Too many analyses wait for their turn: ask again in a few seconds.");
      },
      write_atom_v, std::make_shared<const side_work>(std::move(work)));
}

} // namespace gasoline
