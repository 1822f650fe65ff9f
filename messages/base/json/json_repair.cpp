#include "messages/base/json/json_repair.hpp"

#include "messages/base/json/json_numbers.hpp"
#include "messages/base/utf8.hpp"

#include <algorithm>
#include <charconv>
#include <system_error>

namespace gasoline {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

/// The code unit of `\uXXXX` at `i`, or -1.
int escaped_unit(std::string_view text, std::size_t i) {
  if (i + 6 > text.size() || text[i] != '\\' || text[i + 1] != 'u')
    return -1;
  unsigned value = 0;
  const auto* first = text.data() + i + 2;
  const auto [end, ec] = std::from_chars(first, first + 4, value, 16);
  return ec == std::errc{} && end == first + 4 ? static_cast<int>(value) : -1;
}

bool is_high_surrogate(int unit) {
  return unit >= 0xD800 && unit <= 0xDBFF;
}

bool is_low_surrogate(int unit) {
  return unit >= 0xDC00 && unit <= 0xDFFF;
}

/// Copies the escape at `i`, replacing half surrogate pairs; answers the bytes consumed.
std::size_t copy_escape(std::string_view text, std::size_t i, std::string& out) {
  const int unit = escaped_unit(text, i);
  if (unit < 0) {
    const auto length = std::min<std::size_t>(2, text.size() - i);
    if (length == 2 && static_cast<unsigned char>(text[i + 1]) >= 0x80) {
      out += text[i]; // a backslash before a broken byte: that byte is judged by itself
      return 1;
    }
    out.append(text, i, length);
    return length;
  }
  if (is_high_surrogate(unit) && is_low_surrogate(escaped_unit(text, i + 6))) {
    out.append(text, i, 12);
    return 12;
  }
  if (is_high_surrogate(unit) || is_low_surrogate(unit))
    out += "\\ufffd";
  else
    out.append(text, i, 6);
  return 6;
}

} // namespace

std::string repaired_json(std::string_view text) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.starts_with(byte_order_mark))
    text.remove_prefix(byte_order_mark.size());
  std::string out;
  out.reserve(text.size() + 64);
  bool in_string = false;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (in_string && c == '\\') {
      i += copy_escape(text, i, out);
      continue;
    }
    if (!in_string && starts_number(c)) {
      const auto token = number_token(text, i);
      append_exact_number(out, token);
      i += token.size();
      continue;
    }
    if (c == '"')
      in_string = !in_string;
    const auto step = read_utf8(text, i);
    if (!step.valid) {
      out += replacement;
      ++i;
      continue;
    }
    out.append(text, i, step.length);
    i += step.length;
  }
  return out;
}

} // namespace gasoline
