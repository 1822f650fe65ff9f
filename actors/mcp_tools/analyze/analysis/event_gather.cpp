#include "actors/mcp_tools/analyze/analysis/event_gather.hpp"

#include "actors/base/part_search.hpp"
#include "actors/mcp_tools/tool/mark_list.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

namespace gasoline {
namespace {

/// What decides of the order, beside the event: events lie far apart in memory.
struct placed_event {
  wall_time at{};
  std::uint64_t sequence = 0;
  const event* told = nullptr;

  bool operator<(const placed_event& other) const {
    return at != other.at ? at < other.at : sequence < other.sequence;
  }
};

/// The stretches of one buffer end where the next one begins.
using run_ends = std::vector<std::size_t>;

class event_choice {
 public:
  explicit event_choice(const gathered_events& asked)
      : asked_(asked), in_url_(asked.url), in_page_(asked.url) {}

  bool takes(const event& e) {
    if (e.noise == noise_mark::noise || e.sequence <= asked_.behind)
      return false;
    return asked_.url.empty() || in_url_.finds(e.url.view()) || in_page_.finds(e.page.view());
  }

 private:
  const gathered_events& asked_;
  part_search in_url_;
  part_search in_page_;
};

/// Adds what one chunk has, which is as good as in order.
void add_stretch(std::vector<placed_event>& out, const event_stretch& stretch,
                 event_choice& choice) {
  const auto first = out.size();
  for (auto i = stretch.first; i < stretch.end; ++i)
    if (const auto& e = *stretch.chunk->events[i]; choice.takes(e))
      out.push_back({e.at, e.sequence, &e});
  const auto begin = out.begin() + static_cast<std::ptrdiff_t>(first);
  if (!std::is_sorted(begin, out.end()))
    std::sort(begin, out.end());
}

using placed_events = std::vector<placed_event>;

/// Merges two neighbours. What stands before the beginning of the second one, or behind the end of
/// the first one, stays where it is: buffers overlap little.
void merge_neighbours(placed_events::iterator begin, placed_events::iterator middle,
                      placed_events::iterator end) {
  if (begin == middle || middle == end || !(*middle < *std::prev(middle)))
    return;
  const auto first = std::upper_bound(begin, middle, *middle);
  const auto last = std::lower_bound(middle, end, *std::prev(middle));
  std::inplace_merge(first, middle, last);
}

/// Merges neighbours until one run is left.
void merge_runs(placed_events& all, run_ends ends) {
  const auto at = [&](std::size_t place) {
    return all.begin() + static_cast<std::ptrdiff_t>(place);
  };
  while (ends.size() > 1) {
    run_ends merged;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < ends.size(); i += 2) {
      const auto last = std::min(i + 1, ends.size() - 1);
      merge_neighbours(at(begin), at(ends[i]), at(ends[last]));
      begin = ends[last];
      merged.push_back(begin);
    }
    ends = std::move(merged);
  }
}

} // namespace

void gather_events(const tool_call& call, std::string url, std::function<void(gathered_ptr)> then) {
  const auto found = std::make_shared<gathered_events>();
  found->url = std::move(url);
  list_marks(call, [call, found, then = std::move(then)](const telemetry_marks& marks) {
    found->marks = marks;
    call.snapshot([found, then](const event_snapshot_ptr& all, std::uint64_t behind) {
      found->kept = all;
      found->behind = behind;
      then(found);
    });
  });
}

void put_in_order(gathered_events& found) {
  std::vector<placed_event> all;
  all.reserve(found.kept->size);
  run_ends ends;
  event_choice choice{found};
  for (const auto& stretch : found.kept->stretches) {
    add_stretch(all, stretch, choice);
    ends.push_back(all.size());
  }
  merge_runs(all, std::move(ends));
  found.in_order.reserve(all.size());
  for (const auto& e : all)
    found.in_order.push_back(e.told);
}

work_size size_of_work(const gathered_events& found) {
  constexpr std::uint64_t most_at_once = 1'000;
  return found.kept->size > most_at_once ? work_size::large : work_size::small;
}

} // namespace gasoline
