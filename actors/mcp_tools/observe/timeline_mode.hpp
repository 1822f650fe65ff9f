#pragma once

#include "actors/mcp_tools/observe/answer/store_answer.hpp"

namespace gasoline {

/// `observe {what:"timeline"}`.
inline store_view timeline_view() {
  return {{"timeline", "event", "events", "Reload the page to produce some."},
          "everything in one order of time; add since",
          queried_events::timeline};
}

} // namespace gasoline
