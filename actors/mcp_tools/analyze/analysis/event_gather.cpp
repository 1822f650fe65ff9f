#include "actors/mcp_tools/analyze/analysis/event_gather.hpp"

#include "actors/mcp_tools/tool/mark_list.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

namespace gasoline {
namespace {

/// All buffers at their caps hold about 43,000 events.
constexpr std::uint64_t most_pages = 100;

/// What the store looks through at a time, so that others get their turn in between.
constexpr std::uint64_t page_events = 2'000;

struct gathering {
  gathered_ptr found = std::make_shared<gathered_events>();
  store_query query;
  std::uint64_t pages = 0;
  std::function<void(gathered_ptr)> then;
};

void ask_page(const tool_call& call, const std::shared_ptr<gathering>& g) {
  call.events(g->query, [call, g](const store_page& page) {
    auto& found = *g->found;
    found.any_source_seen = page.any_source_seen;
    found.evicted = page.evicted;
    found.events.insert(found.events.end(), page.groups.begin(), page.groups.end());
    g->query.before_sequence = page.next_cursor;
    if (page.next_cursor == 0)
      return g->then(std::move(g->found));
    if (++g->pages == most_pages) {
      found.complete = false;
      return g->then(std::move(g->found));
    }
    ask_page(call, g);
  });
}

} // namespace

void gather_events(const tool_call& call, std::string url, std::function<void(gathered_ptr)> then) {
  const auto g = std::make_shared<gathering>();
  g->query.what = queried_events::each;
  g->query.url = std::move(url);
  g->query.limit = page_events;
  g->query.max_bytes = std::numeric_limits<std::uint64_t>::max();
  g->then = std::move(then);
  list_marks(call, [call, g](const telemetry_marks& marks) {
    g->found->marks = marks;
    ask_page(call, g);
  });
}

void put_in_order(gathered_events& found) {
  std::stable_sort(found.events.begin(), found.events.end(),
                   [](const event_group& a, const event_group& b) {
                     return a.newest->at != b.newest->at ? a.newest->at < b.newest->at
                                                         : a.newest->sequence < b.newest->sequence;
                   });
}

work_size size_of_work(const gathered_events& found) {
  constexpr std::size_t most_at_once = 1'000;
  return found.events.size() > most_at_once ? work_size::large : work_size::small;
}

} // namespace gasoline
