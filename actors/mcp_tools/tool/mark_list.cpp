#include "actors/mcp_tools/tool/mark_list.hpp"

#include <string>
#include <utility>
#include <vector>

namespace gasoline {

void list_marks(const tool_call& call, std::function<void(const telemetry_marks&)> then) {
  call.ask_engine<std::vector<std::string>>(
      call.engine().alerts,
      [call, then = std::move(then)](const std::vector<std::string>& trees) {
        call.ask_engine<telemetry_marks>(call.engine().marks, then, list_atom_v, trees);
      },
      scope_atom_v, call.client());
}

} // namespace gasoline
