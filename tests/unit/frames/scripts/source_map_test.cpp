#include "actors/frames/scripts/source_map.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace gasoline;

namespace {

constexpr std::string_view map_address = "http://localhost:1/assets/app.js.map";

std::string found_at(const std::string& json, std::uint32_t line, std::uint32_t column) {
  const auto map = source_map::parse(json, map_address, {});
  if (!map)
    return map.error().message;
  const auto found = map->find({{line, column}}).front();
  if (!found)
    return "nothing";
  return found->source + ":" + std::to_string(found->line) + ":" + std::to_string(found->column) +
         (found->name.empty() ? "" : " " + found->name) + (found->ignored ? " ignored" : "");
}

/// A map with one source and these mappings.
std::string map_of(const std::string& mappings) {
  return R"({"version":3,"sources":["../src/a.js"],"names":["total"],"mappings":")" + mappings +
         R"("})";
}

TEST_CASE("positions are led back to the sources") {
  CHECK(found_at(map_of("AAAAA,SACA"), 1, 1) == "http://localhost:1/src/a.js:1:1 total");
  CHECK(found_at(map_of("AAAAA,SACA"), 1, 9) == "http://localhost:1/src/a.js:1:1 total");
  CHECK(found_at(map_of("AAAAA,SACA"), 1, 10) == "http://localhost:1/src/a.js:2:1");
  CHECK(found_at(map_of(";;AAEE"), 3, 400) == "http://localhost:1/src/a.js:3:3");
  CHECK(found_at(map_of("SAAA,CAAC,TAAD"), 1, 2) == "http://localhost:1/src/a.js:1:1");
  CHECK(found_at(map_of("AAAA,C"), 1, 2) == "nothing");
  CHECK(found_at(map_of("CAAA"), 1, 1) == "nothing");
  CHECK(found_at(map_of("AAAA"), 2, 1) == "nothing");
  CHECK(found_at(map_of(""), 1, 1) == "nothing");
}

TEST_CASE("segments that are wrong are left out, the others stay") {
  CHECK(found_at(map_of("AAAA,g!gg,SACA"), 1, 20) == "http://localhost:1/src/a.js:2:1");
  CHECK(found_at(map_of("AAAA,ggggggggggggggB"), 1, 2) == "http://localhost:1/src/a.js:1:1");
  CHECK(found_at(map_of("ACAA"), 1, 1) == "nothing"); // no such source
  CHECK(found_at(map_of("AADA"), 1, 1) == "nothing"); // above the first line
  CHECK(found_at(map_of("DAAA"), 1, 1) == "nothing"); // before the first column
  CHECK(found_at(map_of("AAAAC"), 1, 1) == "http://localhost:1/src/a.js:1:1"); // no such name
  CHECK(found_at(map_of("AAA"), 1, 1) == "nothing");
}

TEST_CASE("an index is read section by section") {
  const std::string index =
      R"({"version":3,"sections":[
        {"offset":{"line":0,"column":0},"map":{"version":3,"sources":["one.js"],"mappings":"AAAA;AACA"}},
        {"offset":{"line":1,"column":4},"map":{"version":3,"sourceRoot":"/lib","sources":["two.js"],
          "mappings":"AAAA;CAAC","ignoreList":[0]}},
        {"offset":{"line":0,"column":9},"map":{"version":3,"sources":["three.js"],"mappings":"AAAA"}},
        {"offset":{"line":9,"column":0},"url":"elsewhere.map"},
        {"offset":{"line":9,"column":0},"map":{"version":3,"sections":[]}}]})";
  CHECK(found_at(index, 1, 1) == "http://localhost:1/assets/one.js:1:1");
  CHECK(found_at(index, 2, 4) == "http://localhost:1/assets/one.js:2:1");
  CHECK(found_at(index, 2, 5) == "http://localhost:1/lib/two.js:1:1 ignored");
  CHECK(found_at(index, 3, 2) == "http://localhost:1/lib/two.js:1:2 ignored");
  CHECK(found_at(index, 10, 1) == "nothing");
}

TEST_CASE("sources that are called by their path on the disk") {
  const std::string begin = R"({"version":3,"names":[],"mappings":"AAAA","sources":[)";
  CHECK(found_at(begin + R"("/home/me/shop/src/a.js","/home/me/shop/node_modules/x/i.js"]})", 1,
                 1) == "http://localhost:1/src/a.js:1:1");
  CHECK(found_at(begin + R"("/home/me/shop/src/a.js"]})", 1, 1) ==
        "file:///home/me/shop/src/a.js:1:1");
  CHECK(found_at(begin + R"("/src/a.js","/node_modules/x/i.js"]})", 1, 1) ==
        "http://localhost:1/src/a.js:1:1");
}

TEST_CASE("what is no map is refused in words") {
  CHECK(found_at("", 1, 1) == "the source map is no JSON object");
  CHECK(found_at("[]", 1, 1) == "the source map is no JSON object");
  CHECK(found_at(R"({"version":2,"mappings":""})", 1, 1) == "the source map is not of version 3");
  CHECK(found_at(R"({"version":3})", 1, 1) == "the source map holds no mappings");
  CHECK(found_at(")]}'\n" + map_of("AAAA"), 1, 1) == "http://localhost:1/src/a.js:1:1");
  source_map_caps caps;
  caps.bytes = 10;
  CHECK_FALSE(source_map::parse(map_of("AAAA"), map_address, caps));
}

TEST_CASE("the last comment of a script names its map") {
  CHECK(named_source_map("x\n//# sourceMappingURL=a.js.map\n") == "a.js.map");
  CHECK(named_source_map("x\n//@ sourceMappingURL=a.js.map\n// end\n\n") == "a.js.map");
  CHECK(named_source_map("x\n  //# sourceMappingURL=a.map") == "a.map");
  CHECK(named_source_map("//# sourceMappingURL=a.map\nx").empty());
  CHECK(named_source_map("x\n//# sourceMappingURL='a'").empty());
  CHECK(named_source_map("x \"//# sourceMappingURL=a.map\"").empty());
  CHECK(named_source_map("").empty());
}

TEST_CASE("data addresses and relative ones") {
  CHECK(data_content("data:application/json;charset=utf-8;base64,eyJhIjoxfQ==") == R"({"a":1})");
  CHECK(data_content("data:application/json,%7B%22a%22%3A1%7D") == R"({"a":1})");
  CHECK_FALSE(data_content("data:application/json;base64,ey!"));
  CHECK_FALSE(data_content("http://h/a.map"));
  CHECK(resolved_address("http://h:1/a/b.js?x=1", "../../../c.map?y") == "http://h:1/c.map?y");
  CHECK(resolved_address("http://h:1/a/b.js", "/c.map") == "http://h:1/c.map");
  CHECK(resolved_address("http://h:1/a/b.js", "webpack://x/./c.js") == "webpack://x/./c.js");
  CHECK(resolved_address("http://h:1/a/b.js", "//evil.test/c") == "http://evil.test/c");
}

} // namespace
