#pragma once

#include "actors/mcp_tools/observe/answer/store_answer.hpp"

namespace gasoline {

/// `observe {what:"errors"}`.
inline store_view errors_view() {
  return {{"errors", "error", "errors", "Try what: logs or what: timeline."},
          "console errors, uncaught errors, unhandled rejections",
          queried_events::errors};
}

} // namespace gasoline
