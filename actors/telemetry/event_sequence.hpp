#pragma once

#include "messages/telemetry/event_snapshot.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

namespace gasoline {

/// Events in the order of their sequence numbers, kept in chunks that readers on other threads
/// share: what they were given is never written to again, so that nothing is copied for them.
class event_sequence {
 public:
  void push_back(event_ptr e);

  /// There is at least one.
  void pop_front();

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }

  /// The event at that place, of those that there are; 0: the oldest.
  const event_ptr& operator[](std::size_t place) const {
    const auto at = begin_ + place;
    return chunks_[at / event_chunk::capacity].chunk->events[at % event_chunk::capacity];
  }
  const event_ptr& front() const { return (*this)[0]; }
  const event_ptr& back() const { return (*this)[size_ - 1]; }

  /// How many events have a smaller sequence number.
  std::size_t count_before(std::uint64_t sequence) const;

  /// Adds all events to a snapshot.
  void share(event_snapshot& out);

 private:
  struct kept_chunk {
    std::shared_ptr<event_chunk> chunk;
    bool shared = false; ///< its events stay where they are
  };

  void stop_sharing_first();

  std::deque<kept_chunk> chunks_;
  std::size_t begin_ = 0; ///< of the oldest event in the first chunk
  std::size_t size_ = 0;
};

} // namespace gasoline
