#include "tools/setup/json_edit.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

using namespace gasoline;

namespace {

const ordered_json entry{{"command", "/bin/gasoline"}, {"args", {"mcp"}}};

std::string with_server(std::string_view text) {
  const auto out = set_json_member(text, {"mcpServers", "gasoline"}, entry);
  REQUIRE_MESSAGE(out, out.error().message);
  return *out;
}

std::string without_server(std::string_view text) {
  const auto out = remove_json_member(text, {"mcpServers", "gasoline"});
  REQUIRE_MESSAGE(out, out.error().message);
  return *out;
}

bool is_ours(const ordered_json& element) {
  return element.is_string() && element.get<std::string>().find("gasoline") != std::string::npos;
}

} // namespace

TEST_CASE("a member is added in the style of its file, and taken out without a trace") {
  const std::string before =
      "\xef\xbb\xbf// mine\n{\n\t\"mcpServers\": {\n\t\t// the other\n"
      "\t\t\"other\": { \"command\": \"x\" } // keep\n\t},\n\t\"z\": 1,\n}\n";
  const auto after = with_server(before);
  CHECK(after ==
        "\xef\xbb\xbf// mine\n{\n\t\"mcpServers\": {\n\t\t// the other\n"
        "\t\t\"other\": { \"command\": \"x\" }, // keep\n\t\t\"gasoline\": {\n"
        "\t\t\t\"command\": \"/bin/gasoline\",\n\t\t\t\"args\": [\n\t\t\t\t\"mcp\"\n\t\t\t]\n"
        "\t\t}\n\t},\n\t\"z\": 1,\n}\n");
  CHECK(with_server(after) == after);
  CHECK(without_server(after) == before);
}

TEST_CASE("objects on one line, trailing commas and CRLF stay what they are") {
  for (const std::string before :
       {R"({"mcpServers":{"a":1}})", R"({"mcpServers": {"a": 1,}, "b": 2})",
        "{\r\n  \"mcpServers\": {\r\n    \"a\": 1,\r\n  },\r\n}\r\n"}) {
    const auto after = with_server(before);
    CAPTURE(after);
    CHECK(json_value_at(after, {"mcpServers", "gasoline"}) == entry);
    CHECK(with_server(after) == after);
    CHECK(without_server(after) == before);
    if (before.find('\r') != std::string::npos)
      CHECK(after.find("\n\n") == std::string::npos);
  }
}

TEST_CASE("parents are made where they are missing") {
  CHECK(with_server("{}") == "{\n  \"mcpServers\": {\n    \"gasoline\": {\n      \"command\": "
                             "\"/bin/gasoline\",\n      \"args\": [\n        \"mcp\"\n      ]\n    "
                             "}\n  }\n}");
}

TEST_CASE("a comment that ends a line never swallows what follows") {
  const auto out = without_server("{\"mcpServers\": {\"a\":1, // c\n \"gasoline\":2}}");
  CHECK(json_value_at(out, {"mcpServers", "a"}) == ordered_json(1));
}

TEST_CASE("what is not understood is refused with its line") {
  const auto problem = [](std::string_view text) {
    const auto out = set_json_member(text, {"mcpServers", "gasoline"}, entry);
    REQUIRE_FALSE(out);
    return out.error().message;
  };
  CHECK(problem("{\n  'a': 1\n}").find("line 2") == 0);
  CHECK(problem("{\"a\": 1} x").find("behind") != std::string::npos);
  CHECK(problem("{\"mcpServers\": {}, \"mcpServers\": {}}").find("twice") != std::string::npos);
  CHECK(problem("{\"mcpServers\": []}").find("object") != std::string::npos);
  CHECK(problem("[]").find("object") != std::string::npos);
  CHECK(problem(std::string("{\n// a\0b\n}", 10)).find("line 2: there is a zero byte") == 0);
  CHECK_FALSE(problem("").empty());
  CHECK_FALSE(problem("{\"a\": /* no end").empty());
  CHECK_FALSE(problem(std::string(100'000, '[')).empty());
}

TEST_CASE("an element is added once, replaced when it is ours, and removed alone") {
  const std::string before = "{\n  \"allow\": [\n    \"Bash\"\n  ]\n}\n";
  const auto added = *set_json_element(before, {"allow"}, "gasoline 1", is_ours);
  CHECK(json_value_at(added, {"allow"}) == ordered_json({"Bash", "gasoline 1"}));
  const auto replaced = *set_json_element(added, {"allow"}, "gasoline 2", is_ours);
  CHECK(json_value_at(replaced, {"allow"}) == ordered_json({"Bash", "gasoline 2"}));
  CHECK(*remove_json_elements(replaced, {"allow"}, is_ours) == before);
}

TEST_CASE("adding and removing restores any document") {
  rc::check([] {
    const auto indentation = *rc::gen::inRange(-1, 5);
    ordered_json document = ordered_json::object();
    for (const auto& key : *rc::gen::container<std::vector<std::string>>(
             rc::gen::container<std::string>(rc::gen::inRange('a', 'g'))))
      document[key] = *rc::gen::element<ordered_json>(1, "x", ordered_json::object(),
                                                      ordered_json{{"k", {1, 2}}}, nullptr);
    document["mcpServers"] = {{"other", {{"command", "x"}}}};
    const auto before = document.dump(indentation);
    const auto after = with_server(before);
    RC_ASSERT(json_value_at(after, {"mcpServers", "gasoline"}) == entry);
    RC_ASSERT(without_server(after) == before);
  });
}
