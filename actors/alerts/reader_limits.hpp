#pragma once

#include <chrono>
#include <cstddef>

namespace gasoline {

/// How much is remembered of agent conversations as readers of alerts.
struct reader_limits {
  std::size_t readers = 1'000;                   ///< without a connected client
  std::chrono::milliseconds idle{4 * 3'600'000}; ///< after which a silent one is forgotten
  std::size_t faults = 200; ///< that a conversation is known to have been shown
};

/// How long is what hooks say.
struct hook_limits {
  std::size_t text_bytes = 1'500; ///< all of it; a client's document is to stay below 2 KB
  std::size_t line_bytes = 160;   ///< an alert
};

} // namespace gasoline
