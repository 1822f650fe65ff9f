#include "messages/base/encoding/query_pairs.hpp"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

using namespace gasoline;

namespace {

std::vector<std::pair<std::string, std::string>> pairs_of(std::string_view query) {
  std::vector<std::pair<std::string, std::string>> out;
  while (const auto pair = take_query_pair(query))
    out.emplace_back(pair->name, pair->value);
  return out;
}

} // namespace

TEST_CASE("a query is read pair by pair, empty ones left out, the first = is the one") {
  using list = std::vector<std::pair<std::string, std::string>>;
  CHECK(pairs_of("a=1&b=2=3&c") == list{{"a", "1"}, {"b", "2=3"}, {"c", ""}});
  CHECK(pairs_of("&&a=&=b&&") == list{{"a", ""}, {"", "b"}});
  CHECK(pairs_of("").empty());
  CHECK(pairs_of("&&").empty());
  CHECK(with_blanks("a+b%2B") == "a b%2B");
}
