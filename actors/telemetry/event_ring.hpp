#pragma once

#include "actors/telemetry/event_sequence.hpp"
#include "actors/telemetry/fault_runs.hpp"
#include "messages/telemetry/event.hpp"

#include <cstdint>
#include <deque>

namespace gasoline {

/// Events in the order of their sequence numbers, bounded by entries and bytes; the oldest go.
class event_ring {
 public:
  event_ring(std::uint64_t max_entries, std::uint64_t max_bytes)
      : max_entries_(max_entries), max_bytes_(max_bytes) {}

  /// Appends one event and evicts the oldest ones above the caps.
  void push(event_ptr e);

  /// Evicts the oldest `count` events.
  void evict(std::uint64_t count);

  /// Halves the caps, or restores them.
  void set_halved(bool halved);

  const event_sequence& events() const { return events_; }
  /// Adds all of them to a snapshot.
  void share(event_snapshot& out) { events_.share(out); }

  const std::deque<fault_run>& runs() const { return runs_.runs(); }
  std::uint64_t size() const { return events_.size(); }
  std::uint64_t bytes() const { return bytes_; }
  /// Events that are marked as noise.
  std::uint64_t noise() const { return noise_; }
  std::uint64_t evicted() const { return evicted_; }
  std::uint64_t max_entries() const { return max_entries_; }
  std::uint64_t max_bytes() const { return max_bytes_; }

 private:
  void enforce_caps();

  event_sequence events_;
  fault_runs runs_;
  std::uint64_t bytes_ = 0;
  std::uint64_t evicted_ = 0;
  std::uint64_t noise_ = 0;
  std::uint64_t max_entries_;
  std::uint64_t max_bytes_;
  std::uint64_t divisor_ = 1;
};

} // namespace gasoline
