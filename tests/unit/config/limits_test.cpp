#include "config/limits.hpp"
#include "config/memory_sum.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <set>
#include <string>

using namespace gasoline;

TEST_CASE("every limit has a name of its own, words, and a default within its range") {
  std::set<std::string_view> names;
  for (const auto& row : limit_table()) {
    CAPTURE(std::string{row.name});
    CHECK(names.insert(row.name).second);
    CHECK_FALSE(row.text.empty());
    CHECK(row.get({}) >= row.min);
    CHECK(row.get({}) <= row.max);
    limits changed;
    row.set(changed, row.max);
    CHECK(row.get(changed) == row.max);
  }
}

TEST_CASE("the table of limits in config/README.md is that of the program") {
  std::ifstream file{GASOLINE_TEST_DATA "/../config/README.md"};
  const std::string text{std::istreambuf_iterator<char>{file}, {}};
  REQUIRE_FALSE(text.empty());
  INFO("the table has to read:\n" << limit_table_text());
  CHECK(text.find(limit_table_text()) != std::string::npos);
}

TEST_CASE("the sum of all caps in config/README.md is that of the program") {
  std::ifstream file{GASOLINE_TEST_DATA "/../config/README.md"};
  const std::string text{std::istreambuf_iterator<char>{file}, {}};
  INFO("the table has to read:\n" << memory_table_text());
  CHECK(text.find(memory_table_text()) != std::string::npos);
  limits more;
  more.stream.total_bytes += 5;
  CHECK(memory_sum(more) == memory_sum({}) + 5);
}
