#include "actors/resolution/kept_events.hpp"

#include <algorithm>
#include <utility>

namespace gasoline {

void kept_events::add(event_ptr e) {
  if (in_order_.size() >= most_) {
    const auto oldest = static_cast<std::ptrdiff_t>(most_ / 4);
    in_order_.erase(in_order_.begin(), in_order_.begin() + oldest);
    kept_.erase(kept_.begin(), kept_.begin() + oldest);
  }
  // Those of one page come in order.
  const auto place =
      std::upper_bound(in_order_.begin(), in_order_.end(), e->at,
                       [](wall_time at, const event* later) { return at < later->at; });
  const auto distance = place - in_order_.begin();
  in_order_.insert(place, e.get());
  kept_.insert(kept_.begin() + distance, std::move(e));
}

} // namespace gasoline
