#include "messages/base/redacted_text.hpp"

#include "messages/base/utf8.hpp"

#include <array>
#include <cmath>
#include <cstdio>

namespace gasoline {

redacted_text& redacted_text::append_decimal(double number) {
  if (!std::isfinite(number)) {
    text_ += '0';
    return *this;
  }
  std::array<char, 64> buffer{};
  constexpr double longest_plain = 1e15;
  const bool plain = std::abs(number) < longest_plain;
  const int n = std::snprintf(buffer.data(), buffer.size(), plain ? "%.3f" : "%.6e", number);
  if (!plain) {
    text_.append(buffer.data(), static_cast<std::size_t>(n));
    return *this;
  }
  std::string_view digits{buffer.data(), static_cast<std::size_t>(n)};
  while (digits.back() == '0')
    digits.remove_suffix(1);
  if (digits.back() == '.')
    digits.remove_suffix(1);
  text_ += digits;
  return *this;
}

redacted_text redacted_text::shortened(std::size_t bytes) const {
  constexpr std::string_view mark = "…";
  if (text_.size() <= bytes)
    return *this;
  const std::size_t room = bytes > mark.size() ? bytes - mark.size() : 0;
  return redacted_text{std::string{utf8_beginning(text_, room)}.append(mark)};
}

} // namespace gasoline
