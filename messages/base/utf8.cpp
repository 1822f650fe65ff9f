#include "messages/base/utf8.hpp"

namespace gasoline {
namespace {

std::uint32_t octet_at(std::string_view text, std::size_t pos) {
  return pos < text.size() ? static_cast<unsigned char>(text[pos]) : 0U;
}

} // namespace

bool is_ascii(std::string_view text) {
  unsigned char all = 0;
  for (const unsigned char c : text)
    all |= c;
  return all < 0x80;
}

utf8_step read_utf8(std::string_view text, std::size_t pos) {
  const auto first = octet_at(text, pos);
  if (first < 0x80)
    return {first, 1, true};
  const std::size_t length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  if (first < 0xC2 || first > 0xF4)
    return {};
  const std::uint32_t low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
  const std::uint32_t high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
  const auto second = octet_at(text, pos + 1);
  if (second < low || second > high)
    return {};
  std::uint32_t code_point = ((first & (0x7FU >> length)) << 6U) | (second & 0x3FU);
  for (std::size_t i = 2; i < length; ++i) {
    const auto next = octet_at(text, pos + i);
    if ((next & 0xC0U) != 0x80)
      return {0, i, false};
    code_point = (code_point << 6U) | (next & 0x3FU);
  }
  return {code_point, length, true};
}

std::string_view utf8_beginning(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes)
    return text;
  while (bytes > 0 && (octet_at(text, bytes) & 0xC0U) == 0x80U)
    --bytes;
  return text.substr(0, bytes);
}

std::string utf8_shortened(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes)
    return std::string{text};
  return std::string{utf8_beginning(text, bytes)} + "…";
}

} // namespace gasoline
