#pragma once

#include <algorithm>
#include <string_view>

namespace gasoline::ascii {

// ASCII letters, digits and blanks, whatever the locale is.

constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

constexpr bool is_capital(char c) {
  return c >= 'A' && c <= 'Z';
}

constexpr bool is_letter(char c) {
  return is_capital(c) || (c >= 'a' && c <= 'z');
}

constexpr char lower(char c) {
  return is_capital(c) ? static_cast<char>(c - 'A' + 'a') : c;
}

constexpr char upper(char c) {
  return is_letter(c) && !is_capital(c) ? static_cast<char>(c - 'a' + 'A') : c;
}

/// Whether both are the same but for capitals. Beast's `iequals` reads one byte behind the end of
/// both when they differ in case.
constexpr bool same_letters(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower(x) == lower(y); });
}

/// The text without these blanks around it.
constexpr std::string_view trimmed(std::string_view text, std::string_view blanks = " \t\r\n") {
  const auto begin = std::min(text.find_first_not_of(blanks), text.size());
  return text.substr(begin, text.find_last_not_of(blanks) + 1 - begin);
}

} // namespace gasoline::ascii
