#include "actors/engine_composition.hpp"
#include "actors/mcp_tools/tool_table.hpp"
#include "tests/unit/support/engine_client.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

using namespace gasoline;
using namespace gasoline::test;
using nlohmann::json;

namespace {

/// The most that the whole answer may take (README of actors/mcp_tools).
constexpr std::size_t tool_list_bytes = 12'288;

std::vector<std::string> names_of(const json& tools) {
  std::vector<std::string> out;
  for (const auto& tool : tools)
    out.push_back(tool.at("name"));
  return out;
}

using call_and_mode = std::pair<std::string, std::string>;

/// The tools and modes that the scenarios call: `observe` and `errors`; the mode is any text that
/// an argument has.
std::set<call_and_mode> calls_in_scenarios() {
  std::set<call_and_mode> out;
  const std::filesystem::path folder{GASOLINE_TEST_DATA "/scenarios"};
  for (const auto& entry : std::filesystem::directory_iterator{folder}) {
    std::ifstream file{entry.path()};
    for (std::string line; std::getline(file, line);) {
      const auto step = json::parse(line, nullptr, false);
      if (!step.is_object() || !step.contains("call"))
        continue;
      out.emplace(step.at("call"), "");
      for (const auto& argument : step.value("arguments", json::object()))
        if (argument.is_string())
          out.emplace(step.at("call"), argument);
    }
  }
  return out;
}

settings with_toolsets(std::vector<std::string> toolsets) {
  settings config;
  config.toolsets = std::move(toolsets);
  return config;
}

} // namespace

TEST_CASE("the whole tools/list answer stays under 12 KB in both eras, with every toolset") {
  virtual_engine engine{with_toolsets({"core", "streams", "compat"})};
  engine_client legacy{engine, "2025-11-25"};
  auto modern = engine_client::modern(engine);
  CHECK(legacy.request("tools/list").dump().size() < tool_list_bytes);
  CHECK(modern.request("tools/list").dump().size() < tool_list_bytes);
}

TEST_CASE("tools carry a schema, annotations and the counts of the buffers, and no outputSchema") {
  virtual_engine engine;
  engine_client client{engine, "2025-11-25"};
  engine.post_error("boom");
  const auto tools = client.result("tools/list").at("tools");
  CHECK(names_of(tools) == std::vector<std::string>{"observe", "analyze", "generate", "configure",
                                                    "interact", "stream_create", "stream_publish",
                                                    "stream_subscribe", "stream_status"});
  for (const auto& tool : tools) {
    CHECK(tool.at("inputSchema").at("type") == "object");
    CHECK(!tool.contains("outputSchema"));
    CHECK(tool.at("description").get<std::string>().size() < 2'048);
    CHECK(tool.at("annotations").at("destructiveHint") == (tool.at("name") == "configure"));
    CHECK(tool.at("annotations").at("openWorldHint") == false);
    CHECK(tool.at("_meta").at("data_counts").at("errors") == 1);
  }
  CHECK(tools[0].at("annotations").at("readOnlyHint") == true);
  CHECK(tools[1].at("annotations").at("readOnlyHint") == true);
  CHECK(tools[2].at("annotations").at("readOnlyHint") == false);
  CHECK(client.result("tools/list").at("tools") == tools);
}

TEST_CASE("configure_streaming is listed on request only, and always callable") {
  virtual_engine listed{with_toolsets({"core", "compat"})};
  engine_client seeing{listed, "2025-11-25"};
  CHECK(names_of(seeing.result("tools/list").at("tools")).back() == "configure_streaming");
  virtual_engine usual;
  engine_client client{usual, "2025-11-25"};
  CHECK(json::parse(client.call_text("configure_streaming", {{"action", "enable"}})).at("status") ==
        "enabled");
}

TEST_CASE("every tool and each of its modes is listed, in the guide, and called by a scenario") {
  const auto offers = make_client_offers(with_toolsets({"core", "streams", "compat"}));
  const auto called = calls_in_scenarios();
  virtual_engine engine;
  engine_client client{engine, "2025-11-25"};
  const auto guide = client.result("resources/read", {{"uri", "gasoline://guide"}})
                         .at("contents")
                         .at(0)
                         .at("text")
                         .get<std::string>();
  for (const auto& tool : offers->tools) {
    const std::string name{tool.shown.name};
    CHECK_MESSAGE(called.count({name, ""}) == 1, name);
    for (const auto& mode : tool.modes) {
      const std::string selected{mode.name};
      const std::string selector{mode.selector};
      CHECK_MESSAGE(called.count({name, selected}) == 1, (name + " " + selected));
      CHECK_MESSAGE(guide.find("`" + name + " {\"" + selector + "\":\"" + selected + "\"}`: ") !=
                        std::string::npos,
                    (name + " " + selected));
      const auto& shown = tool.shown.input_schema.at("properties").at(selector).at("enum");
      CHECK_MESSAGE(std::find(shown.begin(), shown.end(), selected) != shown.end(), selected);
    }
  }
}

TEST_CASE("the table of tools in the README is that of the program") {
  std::ifstream file{GASOLINE_TEST_DATA "/../README.md"};
  const std::string text{std::istreambuf_iterator<char>{file}, {}};
  const auto table = tool_table_text(engine_tools(settings{}));
  INFO("the table has to read:\n" << table);
  CHECK(text.find(table) != std::string::npos);
}

TEST_CASE("an unknown tool is refused with the names of those that exist") {
  virtual_engine engine;
  engine_client client{engine, "2025-11-25"};
  const auto error = client.request("tools/call", {{"name", "nothing"}}).at("error");
  CHECK(error.at("code") == -32602);
  CHECK(error.at("message").get<std::string>().find("observe, analyze, generate, configure") !=
        std::string::npos);
}

TEST_CASE("the fixtures of the conformance suites are there only when the settings say so") {
  settings config;
  const auto usual = *make_client_offers(config);
  config.conformance_fixtures = true;
  const auto tested = *make_client_offers(config);
  for (const auto* name : {"test_simple_text", "json_schema_2020_12_tool", "test_reconnection"}) {
    CHECK(usual.find_tool(name) == nullptr);
    CHECK(tested.find_tool(name) != nullptr);
  }
  CHECK(usual.find_prompt("test_simple_prompt") == nullptr);
  CHECK(usual.find_resource("test://static-text") == nullptr);
  CHECK(usual.find_template("test://template/1/data") == nullptr);
  CHECK(!usual.lists_change);
  CHECK(tested.lists_change);
}

TEST_CASE("no two tools, prompts or resources share a name") {
  settings config;
  config.conformance_fixtures = true;
  const auto registry = *make_client_offers(config);
  const auto distinct = [](const auto& rows, auto name) {
    std::set<std::string> names;
    for (const auto& row : rows)
      names.emplace(name(row));
    return names.size() == rows.size();
  };
  CHECK(distinct(registry.tools, [](const mcp_tool& t) { return t.shown.name; }));
  CHECK(distinct(registry.prompts, [](const mcp_prompt& p) { return p.name; }));
  CHECK(distinct(registry.resources, [](const mcp_resource& r) { return r.uri; }));
  CHECK(distinct(registry.templates, [](const mcp_resource_template& t) { return t.prefix; }));
}

TEST_CASE("a template takes exactly the URIs of its family") {
  const mcp_resource_template family{"test://a/", "id",         "/data", "n",    "t",
                                     "d",         "text/plain", nullptr, nullptr};
  CHECK(family.uri_template() == "test://a/{id}/data");
  CHECK(family.value_in("test://a/7/data") == "7");
  for (const auto* uri : {"test://a//data", "test://a/data", "test://a/7/8/data", "test://b/7/data",
                          "test://a/7/datax", ""})
    CHECK_MESSAGE(!family.value_in(uri).has_value(), uri);
}
