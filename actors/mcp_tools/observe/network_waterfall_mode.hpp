#pragma once

#include "actors/mcp_tools/observe/answer/store_answer.hpp"

namespace gasoline {

/// `observe {what:"network_waterfall"}`.
inline store_view network_waterfall_view() {
  return {{"network_waterfall", "request", "requests", "Try what: network_bodies."},
          "every request with its timing",
          queried_events::network_waterfall};
}

} // namespace gasoline
