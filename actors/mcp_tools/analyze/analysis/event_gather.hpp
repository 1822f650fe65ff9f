#pragma once

#include "actors/mcp_tools/tool/side_work.hpp"
#include "actors/mcp_tools/tool/tool_call.hpp"
#include "messages/telemetry/event_refs.hpp"
#include "messages/telemetry/mark.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace gasoline {

/// What an analysis looks at.
struct gathered_events {
  event_snapshot_ptr kept;  ///< all that is buffered
  telemetry_marks marks;    ///< the newest last
  std::uint64_t behind = 0; ///< the client reads from behind that sequence number on
  std::string url;          ///< only events whose url or page contains it; empty: any
  event_refs in_order;      ///< those it looks at, the oldest first (`put_in_order`)
};

using gathered_ptr = std::shared_ptr<gathered_events>;

/// Asks the store for all its events, which it shares and does not copy, and for the marks.
void gather_events(const tool_call& call, std::string url, std::function<void(gathered_ptr)> then);

/// Finds those that the client may see and asked for, without noise, and puts them in the order of
/// their times.
void put_in_order(gathered_events& found);

/// Of looking through them.
work_size size_of_work(const gathered_events& found);

} // namespace gasoline
