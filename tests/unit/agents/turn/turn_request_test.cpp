#include "actors/agents/turn/turn_request.hpp"

#include <doctest/doctest.h>

#include <string>
#include <utility>

using namespace gasoline;
using nlohmann::json;

TEST_CASE("a turn's message is text or text blocks") {
  const json one = json::array({{{"type", "text"}, {"text", "go"}}});
  CHECK(*turn_content({{"content", "go"}}) == one);
  CHECK(*turn_content({{"content", one}}) == one);
  CHECK(*turn_content({{"message", {{"role", "user"}, {"content", "go"}}}}) == one);
}

TEST_CASE("anything else is refused with what it is and what is valid") {
  const std::pair<json, const char*> rows[] = {
      {json::array(), "must be an object"},
      {json::object(), "has no message"},
      {{{"content", ""}}, "is empty"},
      {{{"content", json::array()}}, "is empty"},
      {{{"content", 7}}, "is no text"},
      {{{"content", nullptr}}, "is no text"},
      {{{"content", {{{"type", "image"}}}}}, "A block"},
      {{{"content", {{{"type", "text"}, {"text", ""}}}}}, "A block"},
  };
  for (const auto& row : rows) {
    const auto content = turn_content(row.first);
    REQUIRE_FALSE(content);
    CHECK_MESSAGE(content.error().message.find(row.second) != std::string::npos,
                  content.error().message);
    CHECK(content.error().message.find("Send {\"content\":\"text\"}") != std::string::npos);
  }
}
