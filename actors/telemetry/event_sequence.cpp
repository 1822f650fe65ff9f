#include "actors/telemetry/event_sequence.hpp"

#include <algorithm>
#include <utility>

namespace gasoline {

void event_sequence::push_back(event_ptr e) {
  const auto at = begin_ + size_;
  if (at == chunks_.size() * event_chunk::capacity)
    chunks_.push_back({std::make_shared<event_chunk>(), false});
  // Readers of a shared chunk do not look at this place.
  chunks_.back().chunk->events[at % event_chunk::capacity] = std::move(e);
  ++size_;
}

void event_sequence::pop_front() {
  if (chunks_.front().shared)
    stop_sharing_first();
  chunks_.front().chunk->events[begin_] = nullptr;
  --size_;
  if (++begin_ < event_chunk::capacity)
    return;
  chunks_.pop_front();
  begin_ = 0;
}

std::size_t event_sequence::count_before(std::uint64_t sequence) const {
  std::size_t low = 0;
  std::size_t high = size_;
  while (low < high) {
    const auto middle = low + (high - low) / 2;
    if ((*this)[middle]->sequence < sequence)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

void event_sequence::share(event_snapshot& out) {
  std::size_t left = size_;
  auto first = begin_;
  for (auto& kept : chunks_) {
    if (left == 0)
      break;
    const auto end = std::min(event_chunk::capacity, first + left);
    kept.shared = true;
    out.stretches.push_back({kept.chunk, first, end});
    left -= end - first;
    first = 0;
  }
  out.size += size_;
}

// Else what is dropped here would stay as long as the rest of its chunk.
void event_sequence::stop_sharing_first() {
  auto& kept = chunks_.front();
  auto own = std::make_shared<event_chunk>();
  const auto end = std::min(event_chunk::capacity, begin_ + size_);
  for (auto i = begin_; i < end; ++i)
    own->events[i] = kept.chunk->events[i];
  kept = {std::move(own), false};
}

} // namespace gasoline
