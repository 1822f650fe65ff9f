#pragma once

#include "messages/base/enum_names.hpp"

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <utility>

namespace gasoline {

/// What an event is, whatever wire format it came in. The names are those of `what` and of the
/// buffers.
enum class telemetry_kind : std::uint8_t {
  log,     ///< a line of a console, an error, a finding of the browser
  body,    ///< an HTTP request with what was sent and answered
  request, ///< the timing of an HTTP request
  socket,  ///< something that happened to a WebSocket
  action,  ///< something that a user did
  load,    ///< the measurements of one page load
  ci       ///< one result of a CI run
};

template <>
struct enum_table<telemetry_kind> {
  static constexpr std::array<std::pair<telemetry_kind, std::string_view>, 7> rows{{
      {telemetry_kind::log, "logs"},
      {telemetry_kind::body, "network_bodies"},
      {telemetry_kind::request, "network_waterfall"},
      {telemetry_kind::socket, "websocket_events"},
      {telemetry_kind::action, "actions"},
      {telemetry_kind::load, "performance"},
      {telemetry_kind::ci, "ci"},
  }};
};

/// A set of kinds: what a detector subscribes to, what a batch holds.
class telemetry_kinds {
 public:
  constexpr telemetry_kinds() = default;
  constexpr telemetry_kinds(std::initializer_list<telemetry_kind> kinds) {
    for (const auto kind : kinds)
      add(kind);
  }

  constexpr void add(telemetry_kind kind) { bits_ |= bit(kind); }

  /// Whether the two have a kind in common.
  constexpr bool meets(telemetry_kinds other) const { return (bits_ & other.bits_) != 0; }

 private:
  static constexpr std::uint32_t bit(telemetry_kind kind) {
    return std::uint32_t{1} << static_cast<std::uint32_t>(kind);
  }

  std::uint32_t bits_ = 0;
};

} // namespace gasoline
