#pragma once

#include "messages/telemetry/event.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace gasoline {

/// Up to so many events of one buffer, in the order of their sequence numbers. Who shares it reads
/// the places of its stretch alone, and nobody writes to those.
struct event_chunk {
  static constexpr std::size_t capacity = 128;

  std::array<event_ptr, capacity> events;
};

/// The events from `first` to before `end` of a chunk.
struct event_stretch {
  std::shared_ptr<const event_chunk> chunk;
  std::size_t first = 0;
  std::size_t end = 0;
};

/// All that was buffered at one moment. Its events are those of the store, none is copied, and they
/// stay as long as it does; to be read on any thread.
struct event_snapshot {
  std::vector<event_stretch> stretches; ///< those of one buffer together
  std::uint64_t size = 0;               ///< events
  std::uint64_t evicted = 0;            ///< events that the buffers' caps have dropped so far
  bool any_source_seen = false;         ///< whether any telemetry ever arrived
};

using event_snapshot_ptr = std::shared_ptr<const event_snapshot>;

} // namespace gasoline
