#pragma once

#include <string_view>

namespace gasoline::redaction {

/// Whether digits (without separators) are a payment card: issuer, length and Luhn sum.
bool is_card_number(std::string_view digits);
/// Whether `ddd-dd-dddd` may have been issued as a US social security number.
bool is_social_security_number(std::string_view dashed);

} // namespace gasoline::redaction
