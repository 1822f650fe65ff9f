#pragma once

#include "actors/telemetry/event_ring.hpp"
#include "config/limits.hpp"
#include "messages/telemetry/event_snapshot.hpp"
#include "messages/telemetry/ingest.hpp"
#include "messages/telemetry/query.hpp"

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace gasoline {

/// The bounded buffers of all sources and their common memory budget. Errors have a buffer of their
/// own, so that chatter never evicts them.
class telemetry_buffers {
 public:
  /// The buffers in the order of `health`.
  enum class buffer : std::uint8_t {
    errors,
    logs,
    network_bodies,
    network_waterfall,
    websocket_events,
    actions,
    performance,
    ci
  };
  static constexpr std::size_t buffer_count = 8;

  explicit telemetry_buffers(const limits_of<detection_room, memory_room, store_room>& limit);

  /// Appends one event to the buffer of its source.
  void append(event_ptr e);

  /// How full the buffers are.
  memory_pressure pressure() const;

  /// Evicts under memory pressure: above soft the oldest 25 % of the largest buffer, above hard
  /// 50 %, above critical everything, with halved caps until below soft. Answers the pressure
  /// level that was found, before eviction. Called once per batch.
  memory_pressure relieve();

  /// One page of matching events, newest first, identical ones grouped.
  store_page query(const store_query& q) const;

  /// All that is buffered now; it costs a few microseconds, however much there is.
  event_snapshot share();

  const event_ring& ring(buffer b) const { return rings_[static_cast<std::size_t>(b)]; }
  std::uint64_t bytes() const;
  static std::string_view name(buffer b);

 private:
  void set_halved(bool halved);
  void evict_from_largest(std::uint64_t divisor);

  std::array<event_ring, buffer_count> rings_;
  limits_of<detection_room, memory_room, store_room> limit_;
  bool halved_ = false;
};

} // namespace gasoline
