#include "messages/base/encoding/query_pairs.hpp"

#include <algorithm>

namespace gasoline {

std::optional<query_pair> take_query_pair(std::string_view& rest) {
  rest.remove_prefix(std::min(rest.find_first_not_of('&'), rest.size()));
  if (rest.empty())
    return std::nullopt;
  const auto pair = rest.substr(0, rest.find('&'));
  rest.remove_prefix(std::min(pair.size() + 1, rest.size()));
  const auto equals = std::min(pair.find('='), pair.size());
  return query_pair{pair.substr(0, equals), pair.substr(std::min(equals + 1, pair.size()))};
}

std::string with_blanks(std::string_view written) {
  std::string out{written};
  std::replace(out.begin(), out.end(), '+', ' ');
  return out;
}

} // namespace gasoline
