#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
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

/// The two lower-case digits of each byte.
inline constexpr auto hex_pairs = [] {
  constexpr std::string_view digits = "0123456789abcdef";
  std::array<std::array<char, 2>, 256> out{};
  for (std::size_t byte = 0; byte < out.size(); ++byte)
    out[byte] = {digits[byte / 16], digits[byte % 16]};
  return out;
}();

/// Writes the bytes as lower-case hexadecimal digits, two each, to where there is room for them.
inline void write_hex(std::string_view bytes, char* digits) {
  for (const char c : bytes)
    digits = std::ranges::copy(hex_pairs[static_cast<unsigned char>(c)], digits).out;
}

/// The same as a text.
inline std::string hex_text(std::string_view bytes) {
  std::string out(2 * bytes.size(), '\0');
  write_hex(bytes, out.data());
  return out;
}

} // namespace gasoline
