#pragma once

#include "actors/mcp_tools/observe/answer/store_answer.hpp"

namespace gasoline {

/// `observe {what:"websocket_events"}`.
inline store_view websocket_events_view() {
  return {{"websocket_events", "WebSocket event", "WebSocket events", "Try what: timeline."},
          "WebSockets: opened, closed, messages",
          queried_events::websocket_events};
}

} // namespace gasoline
