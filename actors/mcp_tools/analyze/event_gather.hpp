#pragma once

#include "actors/mcp_tools/tool/tool_call.hpp"
#include "messages/telemetry/mark.hpp"
#include "messages/telemetry/query.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace gasoline {

/// What an analysis looks at.
struct gathered_events {
  std::vector<event_group> events; ///< oldest first, without noise
  telemetry_marks marks;           ///< the newest last
  std::uint64_t evicted = 0;       ///< events that the buffers' caps have dropped so far
  bool any_source_seen = false;    ///< whether any telemetry ever arrived
  bool complete = true;            ///< false: there were older ones than an analysis looks at
};

/// Asks the store for all its events of that question whose url or page contains `url`, a page at a
/// time, so that others get their turn in between.
void gather_events(const tool_call& call, queried_events what, std::string url,
                   std::function<void(const gathered_events&)> then);

} // namespace gasoline
