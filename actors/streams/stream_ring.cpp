#include "actors/streams/stream_ring.hpp"

#include <algorithm>
#include <utility>

namespace gasoline {
namespace {

/// What an event takes besides its texts: the object, its pointer, its place in the ring.
constexpr std::uint64_t fixed_cost = sizeof(stream_event) + 80;

} // namespace

std::uint64_t stream_ring::cost_of(const stream_event& e) {
  return fixed_cost + e.uuid.size() + e.type.size() + 2 * e.topic.size() + e.data.size() +
         e.metadata.size();
}

void stream_ring::push(stream_event_ptr e, std::uint64_t order) {
  last_id_ = e->id;
  bytes_ += cost_of(*e);
  if (!e->topic.empty())
    ++topics_[e->topic.str()];
  entries_.push_back({std::move(e), order});
  while (entries_.size() > capacity_ || (bytes_ > max_bytes_ && entries_.size() > 1))
    drop_oldest();
}

void stream_ring::drop_oldest() {
  forget_oldest();
  ++evicted_;
}

void stream_ring::forget_oldest() {
  const auto& oldest = *entries_.front().event;
  bytes_ -= cost_of(oldest);
  if (!oldest.topic.empty()) {
    const auto topic = topics_.find(oldest.topic.str());
    if (--topic->second == 0)
      topics_.erase(topic);
  }
  entries_.pop_front();
}

void stream_ring::clear() {
  entries_.clear();
  topics_.clear();
  bytes_ = 0;
}

void stream_ring::begin_at(std::uint64_t id) {
  while (!entries_.empty() && entries_.front().event->id < id)
    forget_oldest();
  last_id_ = std::max(last_id_, id - 1);
}

std::size_t stream_ring::index_after(std::uint64_t id) const {
  const auto found =
      std::upper_bound(entries_.begin(), entries_.end(), id,
                       [](std::uint64_t wanted, const entry& e) { return wanted < e.event->id; });
  return static_cast<std::size_t>(found - entries_.begin());
}

std::uint64_t stream_ring::missed_after(std::uint64_t id) const {
  if (id >= last_id_)
    return 0;
  return last_id_ - id - (entries_.size() - index_after(id));
}

std::uint64_t stream_ring::gap_after(std::uint64_t id) const {
  if (id >= last_id_)
    return 0;
  if (entries_.empty())
    return last_id_ - id;
  const auto oldest = entries_.front().event->id;
  return oldest > id ? oldest - id - 1 : 0;
}

} // namespace gasoline
