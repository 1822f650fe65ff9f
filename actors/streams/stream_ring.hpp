#pragma once

#include "messages/streams/named_stream.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

namespace gasoline {

/// The last events of one stream. Ids rise from 1 and are never used again, whatever is dropped: by
/// one where events are published here; where several engines share the stream there may be gaps.
class stream_ring {
 public:
  /// `capacity` events at most, of `max_bytes` together.
  stream_ring(std::uint64_t capacity, std::uint64_t max_bytes)
      : capacity_(capacity), max_bytes_(max_bytes) {}

  /// The id that the next event must have.
  std::uint64_t next_id() const { return last_id_ + 1; }

  /// Adds an event whose id is above all before; `order` is its place among the events of all
  /// streams. The oldest events leave until both caps hold.
  void push(stream_event_ptr event, std::uint64_t order);

  /// Drops the oldest event; there must be one.
  void drop_oldest();

  /// Drops all events; they do not count as evicted.
  void clear();

  /// Drops the events below that id, which do not count as evicted; later ones have it or a higher.
  void begin_at(std::uint64_t id);

  /// Calls `take` with the events behind that id, oldest first, until it answers false.
  template <class Take>
  void for_each_after(std::uint64_t id, Take take) const {
    for (auto i = index_after(id); i < entries_.size(); ++i)
      if (!take(entries_[i].event))
        return;
  }

  /// The same from the newest event backwards.
  template <class Take>
  void for_each_backwards(Take take) const {
    for (auto i = entries_.size(); i-- > 0;)
      if (!take(entries_[i].event))
        return;
  }

  /// Events behind that id that are not buffered any more.
  std::uint64_t missed_after(std::uint64_t id) const;

  /// Of those, the ones that come before the next event that is still buffered.
  std::uint64_t gap_after(std::uint64_t id) const;

  std::uint64_t newest_id() const { return last_id_; }
  std::uint64_t capacity() const { return capacity_; }
  std::uint64_t size() const { return entries_.size(); }
  std::uint64_t bytes() const { return bytes_; }
  std::uint64_t evicted() const { return evicted_; }

  /// The place of the oldest event among those of all streams; there must be one.
  std::uint64_t oldest_order() const { return entries_.front().order; }

  /// The topics of the buffered events, in alphabetical order, with how many there are of each.
  const std::map<std::string, std::uint64_t>& topics() const { return topics_; }

  /// What an event is counted as.
  static std::uint64_t cost_of(const stream_event& event);

 private:
  struct entry {
    stream_event_ptr event;
    std::uint64_t order = 0;
  };

  std::size_t index_after(std::uint64_t id) const;
  void forget_oldest();

  std::uint64_t capacity_;
  std::uint64_t max_bytes_;
  std::deque<entry> entries_;
  std::map<std::string, std::uint64_t> topics_;
  std::uint64_t last_id_ = 0;
  std::uint64_t bytes_ = 0;
  std::uint64_t evicted_ = 0;
};

} // namespace gasoline
