#pragma once

#include <cstddef>
#include <string_view>

namespace gasoline::redaction {

/// Whether digits (without separators) are a payment card: issuer, length and Luhn sum.
bool is_card_number(std::string_view digits);
/// How long an account number (IBAN) of the country is that `digits` begins with; 0 when there is
/// no such country.
std::size_t account_number_length(std::string_view digits);
/// Whether the text (without separators) is an account number with a valid check number.
bool is_account_number(std::string_view compact);
/// Whether `ddd-dd-dddd` may have been issued as a US social security number.
bool is_social_security_number(std::string_view dashed);

} // namespace gasoline::redaction
