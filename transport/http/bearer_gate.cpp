#include "transport/http/bearer_gate.hpp"

#include "messages/base/letters.hpp"

#include <algorithm>
#include <charconv>
#include <system_error>

namespace gasoline {
namespace {

constexpr std::string_view scheme = "Bearer ";
constexpr std::string_view parameter = "token=";

/// Undoes percent-encoding; a broken escape stays as it is.
std::string decoded(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned byte = 0;
    const auto digits = text.substr(i + 1, 2);
    const auto [end, ec] = std::from_chars(digits.data(), digits.data() + digits.size(), byte, 16);
    if (text[i] != '%' || digits.size() != 2 || ec != std::errc{} ||
        end != digits.data() + digits.size()) {
      out += text[i];
      continue;
    }
    out += static_cast<char>(byte);
    i += 2;
  }
  return out;
}

std::string_view without_blanks_before(std::string_view text) {
  const auto first = text.find_first_not_of(' ');
  return first == std::string_view::npos ? std::string_view{} : text.substr(first);
}

} // namespace

bool equal_in_constant_time(std::string_view a, std::string_view b) {
  unsigned difference = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const char other = b.empty() ? '\0' : b[i % b.size()];
    difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(other);
  }
  return difference == 0;
}

bool bearer_gate::admits(std::optional<std::string_view> authorization) const {
  if (is_open())
    return true;
  if (!authorization || authorization->size() < scheme.size() ||
      !ascii::same_letters(authorization->substr(0, scheme.size()), scheme))
    return false;
  return equal_in_constant_time(without_blanks_before(authorization->substr(scheme.size())),
                                token_);
}

bool bearer_gate::admits_query(std::string_view query) const {
  if (is_open())
    return true;
  while (!query.empty()) {
    const auto pair = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(pair.size() + 1, query.size()));
    if (pair.starts_with(parameter) &&
        equal_in_constant_time(decoded(pair.substr(parameter.size())), token_))
      return true;
  }
  return false;
}

} // namespace gasoline
