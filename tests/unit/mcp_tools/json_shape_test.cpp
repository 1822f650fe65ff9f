#include "actors/mcp_tools/analyze/analysis/json_shape.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <string>

using namespace gasoline;

namespace {

const std::string lengthy(200, 'n');

std::string type_of(const std::string& text) {
  const auto value = shapeable_json(text);
  if (!value)
    return "none";
  json_shape shape;
  shape.add(*value);
  return shape.typescript();
}

} // namespace

TEST_CASE("json_shape: long texts are texts, long names stay") {
  CHECK(type_of(R"({"note":")" + lengthy + R"(","id":1})") ==
        "{\n  id: number;\n  note: string;\n}");
  CHECK(type_of("{\"" + lengthy + "\" : \"" + lengthy + "\"}") ==
        "{\n  " + lengthy + ": string;\n}");
  CHECK(type_of("[\"" + lengthy + "\",\"" + lengthy + "\"]") == "Array<string>");
  CHECK(type_of('"' + lengthy + '"') == "string");
  CHECK(type_of(R"({"quoted":"\")" + lengthy + R"(\"","slash":"\\"})") ==
        "{\n  quoted: string;\n  slash: string;\n}");
}

TEST_CASE("json_shape: what is no JSON is none, however long its texts are") {
  for (const auto& wrong : {lengthy + "\n", lengthy + "\\x", lengthy + "\\"})
    CHECK(type_of("{\"note\":\"" + wrong + "\"}") == "none");
  CHECK(type_of("{\"note\":\"" + lengthy) == "none");
  CHECK(type_of("{\"note\":\"" + lengthy + "\"\"\"}") == "none");
  CHECK(type_of(lengthy) == "none");
}
