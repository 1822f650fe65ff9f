#pragma once

#include "actors/mcp_tools/observe/answer/store_answer.hpp"

namespace gasoline {

/// `observe {what:"actions"}`.
inline store_view actions_view() {
  return {{"actions", "user action", "user actions", "Try what: timeline."},
          "what the user did",
          queried_events::actions};
}

} // namespace gasoline
