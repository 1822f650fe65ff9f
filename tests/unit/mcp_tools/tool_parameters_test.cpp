#include "actors/mcp_tools/tool/tool.hpp"
#include "messages/alerts/alert_taxonomy.hpp"

#include <doctest/doctest.h>

using namespace gasoline;
using nlohmann::json;

namespace {

struct sample_arguments {
  std::string name;
  std::string url{"usual"};
  std::optional<severity> worst;
  std::vector<severity> several;
  std::uint64_t count = 7;
  bool loud = false;
  std::string extra;
  std::string ignored;
};

tool_parameters<sample_arguments> sample_parameters() {
  tool_parameters<sample_arguments> out;
  out.text("name", &sample_arguments::name).needed("; give it one.");
  out.text("url_filter", &sample_arguments::url).about("Where").also("url");
  out.choice<severity>("worst", &sample_arguments::worst);
  out.choices<severity>("several", &sample_arguments::several);
  out.integer("count", &sample_arguments::count, 1, 9).shows("minimum", 1);
  out.boolean("loud", &sample_arguments::loud);
  out.object("extra", &sample_arguments::extra, R"({"a":1})")
      .when([](const sample_arguments& read) { return read.loud; });
  out.ignored(&sample_arguments::ignored);
  return out;
}

result_or<sample_arguments> read(const json& given) {
  tool_arguments arguments{given, wall_time{}};
  return sample_parameters().read(arguments);
}

std::string problem_of(const json& given) {
  const auto result = read(given);
  return result ? "" : result.error().message;
}

tool sample_tool() {
  tool out;
  out.modes = {
      make_mode("", "", sample_parameters(), [](const tool_call&, const sample_arguments&) {})};
  return out;
}

} // namespace

TEST_CASE("one declaration shows a schema of typed properties and what is required") {
  const auto schema = input_schema(sample_tool());
  CHECK(schema.at("type") == "object");
  CHECK(schema.at("required") == json{"name"});
  const auto& shown = schema.at("properties");
  CHECK(shown.size() == 7);
  CHECK(shown.at("url_filter") == json{{"type", "string"}, {"description", "Where"}});
  CHECK(shown.at("worst") == json{{"type", "string"}, {"enum", {"info", "warning", "error"}}});
  CHECK(shown.at("several").at("items") == shown.at("worst"));
  CHECK(shown.at("count") == json{{"type", "integer"}, {"minimum", 1}});
  CHECK(!shown.contains("url"));
}

TEST_CASE("arguments are read into their places, and what is not given keeps its usual value") {
  const auto plain = read({{"name", "a"}});
  REQUIRE(plain);
  CHECK(plain->url == "usual");
  CHECK(plain->count == 7);
  CHECK(!plain->worst);
  const auto all = read({{"name", "a"},
                         {"url", "cart"},
                         {"worst", "error"},
                         {"several", {"info", "error", "info"}},
                         {"count", 3.0},
                         {"loud", true},
                         {"extra", {{"b", 2}}},
                         {"other", 1}});
  REQUIRE(all);
  CHECK(all->url == "cart");
  CHECK(all->worst == severity::error);
  CHECK(all->several == std::vector<severity>{severity::info, severity::error});
  CHECK(all->count == 3);
  CHECK(all->extra == R"({"b":2})");
  CHECK(all->ignored == "'other'");
}

TEST_CASE("the first problem is told, with what is valid") {
  CHECK(problem_of(json::object()) == "name is missing; give it one.");
  CHECK(problem_of({{"name", ""}}) == "name is missing; give it one.");
  CHECK(problem_of({{"name", 5}, {"count", 0}}) == "name must be a string, not '5'.");
  CHECK(problem_of({{"name", "a"}, {"url", 5}}) == "url must be a string, not '5'.");
  CHECK(problem_of({{"name", "a"}, {"worst", "bad"}}) ==
        "worst 'bad' is not valid; use one of: info, warning, error.");
  CHECK(problem_of({{"name", "a"}, {"several", json::array()}}) ==
        "several must name at least one of: info, warning, error.");
  CHECK(problem_of({{"name", "a"}, {"count", 10}}) ==
        "count must be a whole number from 1 to 9, not '10'.");
  CHECK(problem_of({{"name", "a"}, {"loud", true}, {"extra", 1}}) ==
        "extra must be an object, such as {\"a\":1}.");
  CHECK(problem_of({{"name", "a"}, {"extra", 1}}).empty());
}

TEST_CASE("an object comes in the caller's order where that is known") {
  const json given{{"fields", {{"b", 2}, {"z", 1}}}};
  const auto in_order = [&](std::string_view ordered) {
    tool_arguments arguments{given, wall_time{}, ordered};
    return arguments.object_in_order("fields", "{}").value_or("none");
  };
  CHECK(in_order(R"({"fields":{"z":1,"b":2}})") == R"({"z":1,"b":2})");
  CHECK(in_order(R"({"fields":"{\"z\":1,\"b\":2}"})") == R"({"z":1,"b":2})");
  for (const auto* unknown : {"", "{", R"({"other":1})", R"({"fields":"no"})", R"({"fields":7})"})
    CHECK_MESSAGE(in_order(unknown) == R"({"b":2,"z":1})", unknown);
}
