#include "actors/redaction/text/text_hygiene.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace gasoline {
namespace {

constexpr std::string_view replacement_character = "\xEF\xBF\xBD";

/// One step through UTF-8: a code point, or the length of an ill-formed part.
struct utf8_step {
  std::uint32_t code_point = 0;
  std::size_t length = 1;
  bool valid = false;
};

std::uint32_t byte_at(std::string_view text, std::size_t pos) {
  return pos < text.size() ? static_cast<unsigned char>(text[pos]) : 0U;
}

/// Ill-formed parts are as long as the Unicode standard recommends (maximal subparts).
utf8_step read_utf8(std::string_view text, std::size_t pos) {
  const auto first = byte_at(text, pos);
  if (first < 0x80)
    return {first, 1, true};
  const std::size_t length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  if (first < 0xC2 || first > 0xF4)
    return {};
  const std::uint32_t low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
  const std::uint32_t high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
  const auto second = byte_at(text, pos + 1);
  if (second < low || second > high)
    return {};
  std::uint32_t code_point = ((first & (0x7FU >> length)) << 6U) | (second & 0x3FU);
  for (std::size_t i = 2; i < length; ++i) {
    const auto next = byte_at(text, pos + i);
    if ((next & 0xC0U) != 0x80)
      return {0, i, false};
    code_point = (code_point << 6U) | (next & 0x3FU);
  }
  return {code_point, length, true};
}

bool is_unsafe(std::uint32_t c) {
  if (c < 0x20)
    return c != '\t' && c != '\n' && c != '\r';
  return c == 0x7F || c == 0x061C || c == 0x200E || c == 0x200F || (c >= 0x2028 && c <= 0x202E) ||
         (c >= 0x2066 && c <= 0x2069);
}

void append_spelled(std::string& out, std::uint32_t c) {
  constexpr std::string_view hex = "0123456789abcdef";
  out += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4)
    out += hex[(c >> static_cast<unsigned>(shift)) & 0xFU];
}

/// The offset of the first part that must change, or the size.
std::size_t find_unsafe(std::string_view text) {
  std::size_t pos = 0;
  while (pos < text.size()) {
    const auto step = read_utf8(text, pos);
    if (!step.valid || is_unsafe(step.code_point))
      break;
    pos += step.length;
  }
  return pos;
}

} // namespace

void make_presentable(std::string& text) {
  std::size_t pos = find_unsafe(text);
  if (pos == text.size())
    return;
  std::string out = text.substr(0, pos);
  while (pos < text.size()) {
    const auto step = read_utf8(text, pos);
    if (!step.valid)
      out += replacement_character;
    else if (is_unsafe(step.code_point))
      append_spelled(out, step.code_point);
    else
      out.append(text, pos, step.length);
    pos += step.length;
  }
  text = std::move(out);
}

} // namespace gasoline
