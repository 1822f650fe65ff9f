#include "actors/mcp_tools/analyze/faults/fault_item.hpp"

#include "actors/base/age_text.hpp"
#include "actors/resolution/deed_words.hpp"

namespace gasoline {

void write_fault(json_object_writer& out, const fault& f, wall_time now) {
  out.text("title", f.title.view());
  if (const auto place = place_of(f); !place.empty())
    out.text("at", place.view());
  if (const auto page = page_of(*f.newest); !page.empty())
    out.text("page", page);
  out.number("count", f.count);
  out.text("last_seen", age_text(now - f.last_at) + " ago");
}

} // namespace gasoline
