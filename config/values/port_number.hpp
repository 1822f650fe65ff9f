#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>
#include <system_error>

namespace gasoline {

/// The number of a port, 0 to 65535; nothing when the text is anything but decimal digits.
inline std::optional<std::uint16_t> port_number(std::string_view text) {
  std::uint16_t port = 0;
  const auto* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, port);
  return error == std::errc{} && stop == end ? std::optional{port} : std::nullopt;
}

} // namespace gasoline
