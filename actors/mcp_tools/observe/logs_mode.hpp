#pragma once

#include "actors/mcp_tools/observe/answer/store_answer.hpp"

namespace gasoline {

/// `observe {what:"logs"}`: errors included.
inline store_view logs_view() {
  return {{"logs", "log entry", "log entries", "Try what: timeline."},
          "everything on the console",
          queried_events::logs};
}

} // namespace gasoline
