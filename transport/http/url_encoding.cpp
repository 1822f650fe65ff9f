#include "transport/http/url_encoding.hpp"

#include "messages/base/percent_encoding.hpp"

#include <algorithm>

namespace gasoline {

std::optional<std::string> query_parameter(std::string_view query, std::string_view name) {
  while (!query.empty()) {
    const auto part = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(part.size() + 1, query.size()));
    const auto equals = part.find('=');
    if (part.substr(0, equals) != name)
      continue;
    std::string value{equals == std::string_view::npos ? std::string_view{}
                                                       : part.substr(equals + 1)};
    std::replace(value.begin(), value.end(), '+', ' ');
    return percent_decoded(value).value_or("");
  }
  return std::nullopt;
}

} // namespace gasoline
