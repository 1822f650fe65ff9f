#pragma once

#include "messages/base/enum_names.hpp"

#include <cstdint>

namespace gasoline {

/// The ways of an alert that a model is known to read. A push is none of them: no client shows
/// `notifications/message` to its model.
enum class shown_channel : std::uint8_t { block, listing, hook, waiting_call, resource };

template <>
struct enum_table<shown_channel> {
  static constexpr std::array<std::pair<shown_channel, std::string_view>, 5> rows{{
      {shown_channel::block, "block"},
      {shown_channel::listing, "listing"},
      {shown_channel::hook, "hook"},
      {shown_channel::waiting_call, "waiting_call"},
      {shown_channel::resource, "resource"},
  }};
};

} // namespace gasoline
