#pragma once

#include "actors/mcp_tools/tool/tool_call.hpp"

#include <cstdint>
#include <functional>

namespace gasoline {

/// Whether work is done at once, or where it holds up nobody.
enum class work_size : std::uint8_t { small, large };

/// Does `work`, which reads and writes what it alone holds, then calls `then` on the client's
/// actor. Large work waits for its turn in the engine's queue (`work_queue`), so that other clients
/// are served meanwhile; where too much waits already, the call is refused. For small work that
/// would take longer than the work.
void do_aside(const tool_call& call, work_size size, std::function<void()> work,
              std::function<void()> then);

} // namespace gasoline
