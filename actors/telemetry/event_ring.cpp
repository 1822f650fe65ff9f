#include "actors/telemetry/event_ring.hpp"

#include <algorithm>
#include <utility>

namespace gasoline {

void event_ring::push(event_ptr e) {
  bytes_ += e->bytes();
  noise_ += e->noise == noise_mark::noise ? 1 : 0;
  runs_.push(e);
  events_.push_back(std::move(e));
  enforce_caps();
}

void event_ring::evict(std::uint64_t count) {
  for (count = std::min<std::uint64_t>(count, events_.size()); count > 0; --count) {
    bytes_ -= events_.front()->bytes();
    noise_ -= events_.front()->noise == noise_mark::noise ? 1 : 0;
    runs_.evict(*events_.front());
    events_.pop_front();
    ++evicted_;
  }
}

void event_ring::set_halved(bool halved) {
  divisor_ = halved ? 2 : 1;
  enforce_caps();
}

void event_ring::enforce_caps() {
  while (!events_.empty() &&
         (events_.size() > max_entries_ / divisor_ || bytes_ > max_bytes_ / divisor_))
    evict(1);
}

} // namespace gasoline
