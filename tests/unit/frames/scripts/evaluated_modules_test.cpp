#include "actors/frames/scripts/evaluated_modules.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace gasoline;

namespace {

/// `{"version":3,"sources":["webpack://shop/./src/a.js?1f"],"names":[],"mappings":"AAEA"}`
constexpr const char* coded_map =
    "eyJ2ZXJzaW9uIjozLCJzb3VyY2VzIjpbIndlYnBhY2s6Ly9zaG9wLy4vc3JjL2EuanM/MWYiXSwibmFtZXMiOltdLCJtYX"
    "BwaW5ncyI6IkFBRUEifQ==";

/// A module as a bundle of webpack holds it: a text for `eval`, its line breaks escaped.
std::string module(const std::string& name, const std::string& coded) {
  return R"(eval("{x\n//# sourceURL=[module]\n//# sourceMappingURL=data:application/json;charset=utf-8;base64,)" +
         coded + R"(\n//# sourceURL=webpack-internal:///)" + name + R"(\n}");)" + "\n";
}

evaluated_modules modules_of(const std::string& script, const source_map_caps& caps = {}) {
  return read_evaluated_modules(script, "http://localhost:1/main.js", caps);
}

TEST_CASE("the modules of a bundle have maps of their own") {
  const auto found = modules_of("/* runtime */\n" + module("./src/a.js", coded_map) +
                                module("(app-pages-browser)/./app/b.js", coded_map));
  REQUIRE(found.size() == 2);
  CHECK(found.contains("webpack-internal:///(app-pages-browser)/./app/b.js"));
  const auto& map = *found.at("webpack-internal:///./src/a.js");
  const auto origin = map.find({{1, 1}});
  REQUIRE(origin[0]);
  CHECK(origin[0]->source == "webpack://shop/./src/a.js?1f");
  CHECK(origin[0]->line == 3);
  CHECK(bytes_of(found) > 0);
}

TEST_CASE("a source that is called by its path on the disk is called as its module is") {
  // {"version":3,"sources":["/home/me/shop/src/a.js"],"names":[],"mappings":"AAEA"}
  const auto found = modules_of(
      module("./src/a.js",
             "eyJ2ZXJzaW9uIjozLCJzb3VyY2VzIjpbIi9ob21lL21lL3Nob3Avc3JjL2EuanMiXSwibmFtZXMiOltdLC"
             "JtYXBwaW5ncyI6IkFBRUEifQ=="));
  REQUIRE(found.size() == 1);
  CHECK(found.begin()->second->find({{1, 1}})[0]->source == "webpack-internal:///./src/a.js");
}

TEST_CASE("modules of libraries, without a map or with a broken one are left out") {
  const auto found =
      modules_of(module("./node_modules/react/index.js", coded_map) +
                 R"(eval("x\n//# sourceURL=webpack-internal:///./src/plain.js\n");)" +
                 module("./src/broken.js", "e!!") + module("./src/a.js", coded_map));
  CHECK(found.size() == 1);
  CHECK(modules_of("").empty());
  CHECK(modules_of("//# sourceURL=webpack-internal:///").empty());
  source_map_caps caps;
  caps.bytes = 100;
  CHECK(modules_of(module("./src/a.js", coded_map), caps).empty());
}

} // namespace
