#pragma once

#include <string>
#include <string_view>

namespace gasoline {

/// The value of a hexadecimal digit of either case; -1 for any other character.
constexpr int hex_digit(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  if (c >= 'a' && c <= 'f')
    return c - 'a' + 10;
  if (c >= 'A' && c <= 'F')
    return c - 'A' + 10;
  return -1;
}

/// The bytes as lower-case hexadecimal digits, two each.
inline std::string hex_text(std::string_view bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  out.reserve(2 * bytes.size());
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    out += digits[byte >> 4U];
    out += digits[byte & 0xFU];
  }
  return out;
}

} // namespace gasoline
