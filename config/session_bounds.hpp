#pragma once

#include <cstdint>

namespace gasoline {

/// Caps of agent sessions that are the same for everybody.
namespace session_bounds {

inline constexpr std::uint64_t trace_bytes = 1ULL << 30; ///< of what is stored of all sessions
inline constexpr std::uint64_t permission_ms = 600'000;  ///< no answer by then is a no
inline constexpr std::uint64_t turns_queued = 16;        ///< in one session
inline constexpr std::uint64_t open_messages = 64;       ///< being written by an external agent

} // namespace session_bounds

} // namespace gasoline
