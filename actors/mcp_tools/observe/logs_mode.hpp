#pragma once

#include "actors/mcp_tools/observe/answer/event_item.hpp"
#include "actors/mcp_tools/observe/answer/store_answer.hpp"

namespace gasoline {

/// `observe {what:"logs"}`: errors included.
inline store_view logs_view() {
  store_view out{{"logs", "log entry", "log entries", "Try what: timeline."},
                 "everything on the console",
                 queried_events::logs};
  out.brief_items = event_items;
  return out;
}

} // namespace gasoline
