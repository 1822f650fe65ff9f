#pragma once

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

} // namespace gasoline
