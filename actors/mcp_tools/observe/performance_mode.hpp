#pragma once

#include "actors/mcp_tools/observe/answer/store_answer.hpp"

namespace gasoline {

/// `observe {what:"performance"}`.
inline store_view performance_view() {
  return {{"performance", "performance snapshot", "performance snapshots",
           "Snapshots arrive about 2 s after a page load and when the page is left."},
          "performance snapshots of page loads",
          queried_events::performance};
}

} // namespace gasoline
