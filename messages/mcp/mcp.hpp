#pragma once

#include "messages/base/enum_names.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gasoline {

/// The MCP revisions that a session can speak.
enum class mcp_revision : std::uint8_t {
  v2024_11_05,
  v2025_03_26,
  v2025_06_18,
  v2025_11_25,
  v2026_07_28
};

template <>
struct enum_table<mcp_revision> {
  static constexpr std::array<std::pair<mcp_revision, std::string_view>, 5> rows{{
      {mcp_revision::v2024_11_05, "2024-11-05"},
      {mcp_revision::v2025_03_26, "2025-03-26"},
      {mcp_revision::v2025_06_18, "2025-06-18"},
      {mcp_revision::v2025_11_25, "2025-11-25"},
      {mcp_revision::v2026_07_28, "2026-07-28"},
  }};
};

/// The newest revision that `initialize` can agree on; later ones have no handshake.
inline constexpr mcp_revision newest_legacy_revision = mcp_revision::v2025_11_25;

/// The names that `initialize` can agree on, comma-separated, for error sentences.
std::string legacy_revision_names();

/// Legacy revisions open a session with `initialize`; modern requests each carry their claims.
enum class mcp_era : std::uint8_t { legacy, modern };

constexpr mcp_era era_of(mcp_revision revision) {
  return revision > newest_legacy_revision ? mcp_era::modern : mcp_era::legacy;
}

/// What a server can tell changes of with `notifications/…/list_changed`.
enum class listed_kind : std::uint8_t { tools, prompts, resources };

template <>
struct enum_table<listed_kind> {
  static constexpr std::array<std::pair<listed_kind, std::string_view>, 3> rows{{
      {listed_kind::tools, "tools"},
      {listed_kind::prompts, "prompts"},
      {listed_kind::resources, "resources"},
  }};
};

/// Parts of the engine whose changes can be watched.
enum class watched_part : std::uint8_t {
  errors,    ///< error logs that are no noise, in the telemetry store
  telemetry, ///< anything in the telemetry store
  ci         ///< CI results
};

/// The levels of `notifications/message`, rising.
enum class log_severity : std::uint8_t {
  debug,
  info,
  notice,
  warning,
  error,
  critical,
  alert,
  emergency
};

template <>
struct enum_table<log_severity> {
  static constexpr std::array<std::pair<log_severity, std::string_view>, 8> rows{{
      {log_severity::debug, "debug"},
      {log_severity::info, "info"},
      {log_severity::notice, "notice"},
      {log_severity::warning, "warning"},
      {log_severity::error, "error"},
      {log_severity::critical, "critical"},
      {log_severity::alert, "alert"},
      {log_severity::emergency, "emergency"},
  }};
};

/// Prefix of the `_meta` keys that the specification reserves.
inline constexpr std::string_view mcp_meta_prefix = "io.modelcontextprotocol/";

/// An argument of a tool that clients of 2026-07-28 repeat in the header `Mcp-Param-{name}`.
struct header_parameter {
  std::string name;
  std::vector<std::string> path; ///< from the arguments object down to the value
};

/// The header parameters of a tool; empty when there are none or no such tool. Called on the io
/// thread.
using tool_header_parameters = std::function<std::vector<header_parameter>(std::string_view tool)>;

} // namespace gasoline
