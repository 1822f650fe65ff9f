#pragma once

#include "messages/base/enum_names.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace gasoline {

/// What a conversation wants done with an alert, for itself alone.
enum class alert_deed : std::uint8_t {
  acknowledge, ///< it is known: told no more, unless it comes again
  mute,        ///< neither it nor its repeats are told
  unmute
};

template <>
struct enum_table<alert_deed> {
  static constexpr std::array<std::pair<alert_deed, std::string_view>, 3> rows{{
      {alert_deed::acknowledge, "acknowledge"},
      {alert_deed::mute, "mute"},
      {alert_deed::unmute, "unmute"},
  }};
};

struct alert_command {
  std::uint64_t id = 0; ///< N of `alert_N`
  alert_deed what = alert_deed::acknowledge;
  std::optional<std::chrono::milliseconds> lasts{}; ///< of a mute; nothing: as long as the engine
};

} // namespace gasoline
