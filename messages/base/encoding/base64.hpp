#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gasoline {

/// The value of a base64 digit of either alphabet (RFC 4648, sections 4 and 5); -1 for any other
/// character.
constexpr int base64_digit(char c) {
  if (c >= 'A' && c <= 'Z')
    return c - 'A';
  if (c >= 'a' && c <= 'z')
    return c - 'a' + 26;
  if (c >= '0' && c <= '9')
    return c - '0' + 52;
  if (c == '+' || c == '-')
    return 62;
  return c == '/' || c == '_' ? 63 : -1;
}

/// The bytes in base64 (RFC 4648, section 4), padded.
std::string base64_encoded(std::string_view bytes);

/// The bytes of a text in base64 of either alphabet, up to the first `=`; nothing: it is none.
inline std::optional<std::string> base64_decoded(std::string_view text) {
  text = text.substr(0, text.find('='));
  std::string out;
  out.reserve(text.size() / 4 * 3 + 2);
  std::uint32_t bits = 0;
  unsigned held = 0;
  for (const char c : text) {
    const int digit = base64_digit(c);
    if (digit < 0)
      return std::nullopt;
    bits = (bits << 6U) | static_cast<std::uint32_t>(digit);
    held += 6;
    if (held < 8)
      continue;
    held -= 8;
    out += static_cast<char>((bits >> held) & 0xFFU);
  }
  return out;
}

/// The same of the one text that encoding makes (RFC 4648, section 4): full groups, padded, no bits
/// left over.
inline std::optional<std::string> base64_decoded_strictly(std::string_view text) {
  const auto digits = text.find_last_not_of('=') + 1; // 0: there is none
  const auto padding = text.size() - digits;
  if (text.size() % 4 != 0 || padding > 2 || text.find_first_of("-_=") < digits)
    return std::nullopt;
  if (padding > 0) {
    const auto left_over = padding == 1 ? 0x3 : 0xF;
    if ((base64_digit(text[digits - 1]) & left_over) != 0)
      return std::nullopt;
  }
  return base64_decoded(text);
}

} // namespace gasoline
