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

std::size_t account_number_length(std::string_view digits) {
  constexpr std::string_view lengths =
      "AD24AE23AL28AT20AZ28BA20BE16BG22BH22BR29BY28CH21CR22CY28CZ24DE22DK18DO28EE20EG29ES24FI18FO18"
      "FR27GB22GE22GI23GL18GR27GT28HR21HU28IE22IL23IQ23IS26IT27JO30KW30KZ20LB28LC32LI21LT20LU20LV21"
      "LY25MC27MD24ME22MK19MR27MT31MU30NL18NO15PK24PL28PS29PT25QA29RO24RS22SA24SC31SE24SI19SK24SM27"
      "ST25SV28TL23TN24TR26UA29VA22VG24XK20";
  for (std::size_t i = 0; i < lengths.size() && digits.size() >= 2; i += 4)
    if (lengths.substr(i, 2) == digits.substr(0, 2))
      return static_cast<std::size_t>(leading(lengths.substr(i + 2), 2));
  return 0;
}

bool is_account_number(std::string_view compact) {
  if (compact.size() < 15 || account_number_length(compact) != compact.size())
    return false;
  int rest = 0;
  for (std::size_t i = 0; i < compact.size(); ++i) {
    const char c = compact[(i + 4) % compact.size()];
    const bool digit = c >= '0' && c <= '9';
    rest = digit ? (rest * 10 + (c - '0')) % 97 : (rest * 100 + (c - 'A' + 10)) % 97;
  }
  return rest == 1;
}

bool is_social_security_number(std::string_view dashed) {
  if (dashed.size() != 11)
    return false;
  const int area = leading(dashed, 3);
  return area != 0 && area != 666 && area < 900 && dashed.substr(4, 2) != "00" &&
         dashed.substr(7) != "0000";
}

} // namespace gasoline::redaction
