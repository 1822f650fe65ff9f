#include "actors/mcp_tools/observe/answer/body_shape.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace gasoline;

namespace {

TEST_CASE("a short body is whole") {
  CHECK(body_shape("").empty());
  CHECK(body_shape(R"({"a":[1,2,3]})") == R"({"a":[1,2,3]})");
}

TEST_CASE("a long document keeps its names, and the first of each list") {
  std::string rows;
  for (int i = 0; i < 200; ++i)
    rows +=
        (i > 0 ? "," : "") + std::string{R"({"id":)"} + std::to_string(i) + R"(,"tags":["x","y"]})";
  CHECK(
      body_shape(R"({"total":12.5,"rows":[)" + rows + R"(],"empty":[],"note":")" +
                 std::string(500, 'n') + R"("})") ==
      R"({"total":12.5,"rows":[{"id":0,"tags":["x","… 1 more"]},"… 199 more"],"empty":[],"note":")" +
          std::string(120, 'n') + R"(… [500 bytes]"})");
}

TEST_CASE("many members, deep levels and other texts are cut") {
  std::string members;
  for (int i = 0; i < 100; ++i)
    members += (i > 0 ? "," : "") + std::string{R"("m)"} + std::to_string(i) + R"(":1)";
  const auto many = body_shape("{" + members + "}");
  CHECK(many.ends_with(R"("m23":1,"…":"76 more"})"));
  const auto deep = body_shape(std::string(50, '[') + std::string(400, ' ') + std::string(50, ']'));
  CHECK(deep == R"([[[[["[…]"]]]]])");
  CHECK(body_shape(std::string(5000, '[')).ends_with("… [5000 bytes]"));
  CHECK(body_shape("<html>" + std::string(2000, 'x')).ends_with("… [2006 bytes]"));
}

} // namespace
