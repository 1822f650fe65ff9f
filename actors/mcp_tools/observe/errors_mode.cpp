#include "actors/mcp_tools/observe/errors_mode.hpp"

#include "actors/mcp_tools/observe/answer/error_item.hpp"

namespace gasoline {

store_view errors_view() {
  store_view out{{"errors", "error", "errors", ""},
                 "console errors, uncaught errors, unhandled rejections",
                 queried_events::errors};
  out.brief_items = error_items;
  out.brief_events = queried_events::faults;
  out.looks_around = true;
  return out;
}

} // namespace gasoline
