#pragma once

#include "actors/mcp_tools/observe/answer/event_item.hpp"
#include "actors/mcp_tools/observe/answer/store_answer.hpp"

namespace gasoline {

/// `observe {what:"network_bodies"}`.
inline store_view network_bodies_view() {
  store_view out{
      {"network_bodies", "network body", "network bodies",
       "Bodies are sent for failing and slow requests; try what: network_waterfall for all "
       "requests."},
      "failing and slow requests with their answers; add status_min",
      queried_events::network_bodies};
  out.brief_items = event_items;
  return out;
}

} // namespace gasoline
