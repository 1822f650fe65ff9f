#include "messages/base/encoding/percent_encoding.hpp"

#include "messages/base/encoding/hex.hpp"

namespace gasoline {

bool is_unreserved(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '.' || c == '_' || c == '~';
}

std::string percent_encoded(std::string_view text) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (is_unreserved(c))
      out += c;
    else
      ((out += '%') += digits[byte >> 4U]) += digits[byte & 0xFU];
  }
  return out;
}

bool is_percent_escape(std::string_view text, std::size_t pos) {
  return text[pos] == '%' && pos + 2 < text.size() && hex_digit(text[pos + 1]) >= 0 &&
         hex_digit(text[pos + 2]) >= 0;
}

char percent_escape_byte(std::string_view text, std::size_t pos) {
  return static_cast<char>(hex_digit(text[pos + 1]) * 16 + hex_digit(text[pos + 2]));
}

std::optional<std::string> percent_decoded(std::string_view text) {
  for (auto sign = text.find('%'); sign < text.size(); sign = text.find('%', sign + 3))
    if (!is_percent_escape(text, sign))
      return std::nullopt;
  return percent_decoded_leniently(text);
}

std::string percent_decoded_leniently(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escaped = is_percent_escape(text, i);
    out += escaped ? percent_escape_byte(text, i) : text[i];
    i += escaped ? 2 : 0;
  }
  return out;
}

} // namespace gasoline
