#include "transport/http/head/url_encoding.hpp"

#include "messages/base/encoding/percent_encoding.hpp"
#include "messages/base/encoding/query_pairs.hpp"

namespace gasoline {

std::optional<std::string> query_parameter(std::string_view query, std::string_view name) {
  while (const auto pair = take_query_pair(query))
    if (pair->name == name)
      return percent_decoded(with_blanks(pair->value)).value_or("");
  return std::nullopt;
}

} // namespace gasoline
