#include "actors/redaction/rules/numbers.hpp"

#include <cstddef>

namespace gasoline::redaction {
namespace {

bool passes_luhn(std::string_view digits) {
  int sum = 0;
  bool twice = false;
  for (auto d = digits.rbegin(); d != digits.rend(); ++d, twice = !twice) {
    const int value = (*d - '0') * (twice ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 == 0;
}

int leading(std::string_view digits, std::size_t count) {
  int value = 0;
  for (const char c : digits.substr(0, count))
    value = value * 10 + (c - '0');
  return value;
}

bool between(int value, int low, int high) {
  return value >= low && value <= high;
}

/// Issuer ranges and lengths as the networks publish them.
bool is_issued(std::string_view digits) {
  const auto size = digits.size();
  const int two = leading(digits, 2);
  const int three = leading(digits, 3);
  const int four = leading(digits, 4);
  if (digits.front() == '4')
    return size == 13 || size == 16 || size == 19;
  if (between(two, 51, 55) || between(four, 2221, 2720))
    return size == 16;
  if (two == 34 || two == 37)
    return size == 15;
  if (between(three, 300, 305) || two == 36 || two == 38 || two == 39)
    return size == 14 || size == 16;
  if (between(four, 3528, 3589) || four == 6011 || between(three, 644, 649) || two == 65 ||
      two == 62)
    return size >= 16;
  // Mir and Maestro.
  if (between(four, 2200, 2204))
    return size >= 16;
  if (four == 5018 || four == 5020 || four == 5038 || four == 6304 || between(four, 6759, 6763))
    return size >= 13;
  return false;
}

} // namespace

bool is_card_number(std::string_view digits) {
  return digits.size() >= 13 && digits.size() <= 19 && is_issued(digits) && passes_luhn(digits);
}

bool is_social_security_number(std::string_view dashed) {
  if (dashed.size() != 11)
    return false;
  const int area = leading(dashed, 3);
  return area != 0 && area != 666 && area < 900 && dashed.substr(4, 2) != "00" &&
         dashed.substr(7) != "0000";
}

} // namespace gasoline::redaction
