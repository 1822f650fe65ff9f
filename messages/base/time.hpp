#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace gasoline {

/// A point on the actor system's monotonic clock; all windows and throttles use it.
using mono_time = std::chrono::steady_clock::time_point;

/// A label for people and programs; never used to decide anything.
using wall_time = std::chrono::time_point<std::chrono::system_clock, std::chrono::milliseconds>;

/// Gives the wall-clock label of a moment on the actor clock. Live engines read the system clock;
/// replays count from the scenario's start.
using wall_clock = std::function<wall_time(mono_time)>;

/// ISO 8601 in UTC with milliseconds: `2026-01-28T14:30:00.000Z`.
std::string to_iso8601(wall_time at);

/// Reads ISO 8601 (`Z` or a numeric offset, optional fraction), or nothing.
std::optional<wall_time> from_iso8601(std::string_view text);

} // namespace gasoline
