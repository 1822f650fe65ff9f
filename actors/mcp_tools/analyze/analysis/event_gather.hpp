#pragma once

#include "actors/mcp_tools/tool/side_work.hpp"
#include "actors/mcp_tools/tool/tool_call.hpp"
#include "messages/telemetry/mark.hpp"
#include "messages/telemetry/query.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace gasoline {

/// What an analysis looks at.
struct gathered_events {
  std::vector<event_group> events; ///< each for itself, without noise
  telemetry_marks marks;           ///< the newest last
  std::uint64_t evicted = 0;       ///< events that the buffers' caps have dropped so far
  bool any_source_seen = false;    ///< whether any telemetry ever arrived
  bool complete = true;            ///< false: there were older ones than an analysis looks at
};

using gathered_ptr = std::shared_ptr<gathered_events>;

/// Asks the store for all its events whose url or page contains `url`, a page at a time, so that
/// others get their turn in between. They come in no order (`put_in_order`).
void gather_events(const tool_call& call, std::string url, std::function<void(gathered_ptr)> then);

/// By their times, the oldest first.
void put_in_order(gathered_events& found);

/// Of looking through them.
work_size size_of_work(const gathered_events& found);

} // namespace gasoline
