#include "transport/http/rights/bearer_gate.hpp"

#include "messages/base/encoding/percent_encoding.hpp"
#include "messages/base/encoding/query_pairs.hpp"
#include "messages/base/letters.hpp"

namespace gasoline {
namespace {

constexpr std::string_view scheme = "Bearer ";
constexpr std::string_view parameter = "token";

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
  while (const auto pair = take_query_pair(query))
    if (pair->name == parameter &&
        equal_in_constant_time(percent_decoded_leniently(pair->value), token_))
      return true;
  return false;
}

} // namespace gasoline
