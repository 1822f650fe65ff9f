#pragma once

#include "messages/alerts/alert_taxonomy.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace gasoline {

/// The level set by `logging/setLevel`, reduced to what it lets through: our alerts are at most
/// errors, so the levels above that silence everything.
enum class level_floor : std::uint8_t { info, warning, error, silent };

template <>
struct enum_table<level_floor> {
  static constexpr std::array<std::pair<level_floor, std::string_view>, 8> rows{{
      {level_floor::info, "debug"},
      {level_floor::info, "info"},
      {level_floor::warning, "notice"},
      {level_floor::warning, "warning"},
      {level_floor::error, "error"},
      {level_floor::silent, "critical"},
      {level_floor::silent, "alert"},
      {level_floor::silent, "emergency"},
  }};
};

/// One client's streaming configuration. Checked before it is made.
struct push_config {
  bool enabled = false;
  std::vector<event_filter> events{event_filter::all};
  std::chrono::seconds throttle{5}; ///< 1 to 60
  std::string url;                  ///< substring; empty: no filter
  severity severity_min = severity::warning;
};

/// What one client's streaming has done.
struct push_status {
  push_config config;
  std::uint64_t notify_count = 0; ///< notifications written since `enable`
  std::uint64_t pending = 0;      ///< alerts in the pending batch
  std::uint64_t dropped = 0;      ///< alerts that the full batch could not take
  std::uint64_t deduplicated = 0;
  std::uint64_t pending_cleared = 0;                  ///< answer to `disable`
  std::map<std::string, std::uint64_t> suppressed_by; ///< filter name to alerts held back
};

} // namespace gasoline
