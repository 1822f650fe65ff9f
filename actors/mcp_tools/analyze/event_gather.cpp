#include "actors/mcp_tools/analyze/event_gather.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

namespace gasoline {
namespace {

/// All buffers at their caps hold about 43,000 events.
constexpr std::uint64_t most_pages = 100;

struct gathering {
  gathered_events found;
  store_query query;
  std::uint64_t pages = 0;
  std::function<void(const gathered_events&)> then;
};

void finish_gathering(gathering& g) {
  auto& events = g.found.events;
  std::stable_sort(events.begin(), events.end(), [](const event_group& a, const event_group& b) {
    return a.newest->at != b.newest->at ? a.newest->at < b.newest->at
                                        : a.newest->sequence < b.newest->sequence;
  });
  g.then(g.found);
}

void ask_page(const tool_call& call, const std::shared_ptr<gathering>& g) {
  call.events(g->query, [call, g](const store_page& page) {
    g->found.any_source_seen = page.any_source_seen;
    g->found.evicted = page.evicted;
    g->found.events.insert(g->found.events.end(), page.groups.begin(), page.groups.end());
    g->query.before_sequence = page.next_cursor;
    if (page.next_cursor == 0)
      return finish_gathering(*g);
    if (++g->pages == most_pages) {
      g->found.complete = false;
      return finish_gathering(*g);
    }
    ask_page(call, g);
  });
}

} // namespace

void gather_events(const tool_call& call, queried_events what, std::string url,
                   std::function<void(const gathered_events&)> then) {
  const auto g = std::make_shared<gathering>();
  g->query.what = what;
  g->query.url = std::move(url);
  g->query.limit = call.limit().result.max_items;
  g->query.max_bytes = std::numeric_limits<std::uint64_t>::max();
  g->then = std::move(then);
  call.ask_engine<telemetry_marks>(
      call.engine().marks,
      [call, g](const telemetry_marks& marks) {
        g->found.marks = marks;
        ask_page(call, g);
      },
      list_atom_v);
}

} // namespace gasoline
