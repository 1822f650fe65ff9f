#include "messages/base/presentable_text.hpp"

#include "messages/base/utf8.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <utility>

namespace gasoline {
namespace {

constexpr std::string_view replacement_character = "\xEF\xBF\xBD";

/// From the first to the last code point, both included.
struct code_range {
  std::uint32_t first;
  std::uint32_t last;
};

/// What is never shown as it is: it steers a terminal, turns the order of a line around, or is
/// invisible to people while programs read it. Joiners (U+200C, U+200D) and the variation selectors
/// of emoji and scripts (U+FE00 to U+FE0F) are not in the table.
constexpr code_range escaped_ranges[] = {
    {0x00, 0x08},       {0x0B, 0x0C},     {0x0E, 0x1F},     {0x7F, 0x9F},       {0x00AD, 0x00AD},
    {0x034F, 0x034F},   {0x061C, 0x061C}, {0x115F, 0x1160}, {0x17B4, 0x17B5},   {0x180E, 0x180E},
    {0x200B, 0x200B},   {0x200E, 0x200F}, {0x2028, 0x202E}, {0x2060, 0x206F},   {0x3164, 0x3164},
    {0xFEFF, 0xFEFF},   {0xFFA0, 0xFFA0}, {0xFFF9, 0xFFFB}, {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A},
    {0xE0000, 0xE0FFF},
};

bool is_unsafe(std::uint32_t c) {
  if (c >= 0x20 && c < 0x7F)
    return false;
  return std::any_of(std::begin(escaped_ranges), std::end(escaped_ranges),
                     [c](const auto& range) { return c >= range.first && c <= range.last; });
}

void append_unit(std::string& out, std::uint32_t unit) {
  constexpr std::string_view hex = "0123456789abcdef";
  out += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4)
    out += hex[(unit >> static_cast<unsigned>(shift)) & 0xFU];
}

/// Beyond U+FFFF as JSON does it, in two halves.
void append_spelled(std::string& out, std::uint32_t c) {
  if (c < 0x10000) {
    append_unit(out, c);
    return;
  }
  append_unit(out, 0xD800U + ((c - 0x10000U) >> 10U));
  append_unit(out, 0xDC00U + ((c - 0x10000U) & 0x3FFU));
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

std::uint64_t make_presentable(std::string& text) {
  std::size_t pos = find_unsafe(text);
  if (pos == text.size())
    return 0;
  std::uint64_t changed = 0;
  std::string out = text.substr(0, pos);
  while (pos < text.size()) {
    const auto step = read_utf8(text, pos);
    const bool unsafe = !step.valid || is_unsafe(step.code_point);
    if (!step.valid)
      out += replacement_character;
    else if (unsafe)
      append_spelled(out, step.code_point);
    else
      out.append(text, pos, step.length);
    changed += unsafe ? 1 : 0;
    pos += step.length;
  }
  text = std::move(out);
  return changed;
}

std::string labelled_document(std::string_view object) {
  if (!object.starts_with('{'))
    return std::string{object};
  std::string out = R"({"note":")";
  out.append(outside_text_label).append("\"");
  return out.append(object == "{}" ? "" : ",").append(object.substr(1));
}

std::string terminal_text(std::string_view text) {
  std::string clean{text};
  make_presentable(clean);
  std::string out;
  for (const char c : clean) {
    if (c == '\r')
      append_spelled(out, static_cast<unsigned char>(c));
    else
      out += c;
    if (c == '\n')
      out += "    ";
  }
  return out;
}

std::string terminal_line(std::string_view text) {
  std::string clean{text};
  make_presentable(clean);
  std::string out;
  for (const char c : clean) {
    if (c == '\n' || c == '\r' || c == '\t')
      append_spelled(out, static_cast<unsigned char>(c));
    else
      out += c;
  }
  return out;
}

} // namespace gasoline
