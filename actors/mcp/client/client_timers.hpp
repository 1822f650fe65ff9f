#pragma once

#include "actors/mcp/client/connected_client.hpp"

#include <chrono>
#include <cstdint>
#include <functional>

namespace gasoline {

/// Runs `then` on the session after the delay, unless it is stopped or the session ends first.
/// Answers the number that stops it.
std::uint64_t start_timer(client_pointer self, std::chrono::milliseconds delay,
                          std::function<void()> then);

/// Stops a timer; nothing when it has run.
void stop_timer(client_pointer self, std::uint64_t timer);

/// The time of a timer has come.
void run_timer(client_pointer self, std::uint64_t timer);

} // namespace gasoline
