#include "tests/unit/support/engine_client.hpp"

#include <doctest/doctest.h>

using namespace gasoline;
using namespace gasoline::test;
using namespace std::chrono_literals;
using nlohmann::json;

namespace {

json accepted(json content) {
  return {{"action", "accept"}, {"content", std::move(content)}};
}

const json all_capabilities{
    {"sampling", json::object()}, {"elicitation", json::object()}, {"roots", json::object()}};

json retry(const char* tool, json responses, const json& result) {
  json params{
      {"name", tool}, {"arguments", json::object()}, {"inputResponses", std::move(responses)}};
  if (result.contains("requestState"))
    params["requestState"] = result.at("requestState");
  return params;
}

} // namespace

TEST_CASE("a configuration file cannot turn the fixtures on") {
  const auto refused =
      apply_config_text(settings{}, R"({"conformance_fixtures":true})", "config.json");
  REQUIRE(!refused);
  CHECK(refused.error().message.find("conformance_fixtures") != std::string::npos);
}

TEST_CASE("content tools answer each kind of content") {
  virtual_engine engine{with_fixtures()};
  engine_client client{engine, "2025-11-25"};
  const auto kinds = [&](const char* tool) {
    std::string out;
    const auto result = client.call(tool);
    for (const auto& content : result.at("content"))
      out += content.at("type").get<std::string>() + " ";
    return out;
  };
  CHECK(kinds("test_simple_text") == "text ");
  CHECK(kinds("test_image_content") == "image ");
  CHECK(kinds("test_audio_content") == "audio ");
  CHECK(kinds("test_embedded_resource") == "resource ");
  CHECK(kinds("test_multiple_content_types") == "text image resource ");
  CHECK(client.call("test_error_handling").at("isError") == true);
}

TEST_CASE("the schema of the draft 2020-12 is listed as it is written") {
  virtual_engine engine{with_fixtures()};
  engine_client client{engine, "2025-11-25"};
  const auto listing = client.result("tools/list");
  for (const auto& tool : listing.at("tools")) {
    if (tool.at("name") != "json_schema_2020_12_tool")
      continue;
    const auto& schema = tool.at("inputSchema");
    CHECK(schema.at("$defs").at("address").at("$anchor") == "addressDef");
    CHECK(schema.at("allOf") ==
          json::parse(R"([{"anyOf":[{"required":["phone"]},{"required":["email"]}]}])"));
    CHECK(schema.at("then") == json::parse(R"({"required":["phone"]})"));
    CHECK(schema.at("additionalProperties") == false);
    return;
  }
  FAIL("the tool is not listed");
}

TEST_CASE("progress and logs come in three steps before the answer") {
  virtual_engine engine{with_fixtures()};
  engine_client client{engine, "2025-11-25"};
  client.result("logging/setLevel", {{"level", "debug"}});
  const auto id = client.begin(
      "tools/call", {{"name", "test_tool_with_progress"}, {"_meta", {{"progressToken", "t"}}}});
  CHECK(client.messages("notifications/progress").size() == 1);
  CHECK(client.response(id).is_null());
  engine.vs.advance(100ms);
  const auto steps = client.messages("notifications/progress");
  REQUIRE(steps.size() == 3);
  for (std::size_t i = 0; i < 3; ++i)
    CHECK(steps[i].at("params").at("progress") == 50 * i);
  CHECK(client.response(id).contains("result"));
  client.begin("tools/call", {{"name", "test_tool_with_logging"}});
  engine.vs.advance(100ms);
  CHECK(client.messages("notifications/message").size() == 3);
}

TEST_CASE("a legacy client is asked and its answer comes back in the result") {
  virtual_engine engine{with_fixtures()};
  engine_client client{engine, "2025-11-25", all_capabilities};
  const auto id = client.begin("tools/call", {{"name", "test_elicitation_sep1034_defaults"}});
  const auto asked = client.messages("elicitation/create");
  REQUIRE(asked.size() == 1);
  CHECK(asked[0].at("params").at("requestedSchema").at("properties").at("score").at("default") ==
        95.5);
  CHECK(client.response(id).is_null());
  client.send({{"jsonrpc", "2.0"}, {"id", asked[0].at("id")}, {"result", accepted({{"age", 25}})}});
  const auto text = client.response(id).at("result").at("content")[0].at("text").get<std::string>();
  CHECK(text == "Elicitation completed: action=accept, content={\"age\":25}");
}

TEST_CASE("a refusal by the client, or a client that cannot be asked, is an error result") {
  virtual_engine engine{with_fixtures()};
  engine_client able{engine, "2025-11-25", all_capabilities};
  const auto id =
      able.begin("tools/call", {{"name", "test_sampling"}, {"arguments", {{"prompt", "hello"}}}});
  const auto asked = able.messages("sampling/createMessage");
  REQUIRE(asked.size() == 1);
  CHECK(asked[0].at("params").at("messages")[0].at("content").at("text") == "hello");
  able.send({{"jsonrpc", "2.0"},
             {"id", asked[0].at("id")},
             {"error", {{"code", -1}, {"message", "no"}}}});
  CHECK(able.response(id).at("result").at("isError") == true);
  engine_client unable{engine, "2025-11-25"};
  CHECK(unable.call("test_sampling", {{"prompt", "hello"}}).at("isError") == true);
  CHECK(unable.call("test_sampling").at("isError") == true);
  CHECK(unable.call("test_elicitation", {{"message", "hello"}}).at("isError") == true);
  CHECK(unable.messages("sampling/createMessage").empty());
}

TEST_CASE("an input round asks again for what is missing or of the wrong shape") {
  virtual_engine engine{with_fixtures()};
  auto client = engine_client::modern(engine, all_capabilities);
  const auto* tool = "test_input_required_result_elicitation";
  const auto first = client.call(tool);
  CHECK(first.at("resultType") == "input_required");
  CHECK(first.at("inputRequests").at("user_name").at("method") == "elicitation/create");
  const auto wrong = client.request("tools/call", retry(tool, {{"user_name", 12345}}, first));
  CHECK((wrong.contains("error") || wrong.at("result").at("resultType") == "input_required"));
  const auto other =
      client.result("tools/call", retry(tool, {{"another", accepted({{"x", 1}})}}, first));
  CHECK(other.at("resultType") == "input_required");
  const auto done = client.result(
      "tools/call", retry(tool, {{"user_name", accepted({{"name", "Alice"}})}}, first));
  CHECK(done.at("resultType") == "complete");
  CHECK(done.at("content")[0].at("text") == "Hello, Alice!");
}

TEST_CASE("several rounds carry their state, which cannot be changed") {
  virtual_engine engine{with_fixtures()};
  auto client = engine_client::modern(engine, all_capabilities);
  const auto* tool = "test_input_required_result_multi_round";
  const auto first = client.call(tool);
  const auto second =
      client.result("tools/call", retry(tool, {{"step1", accepted({{"name", "Alice"}})}}, first));
  CHECK(second.at("inputRequests").contains("step2"));
  CHECK(second.at("requestState") != first.at("requestState"));
  const auto done =
      client.result("tools/call", retry(tool, {{"step2", accepted({{"color", "blue"}})}}, second));
  CHECK(done.at("content")[0].at("text") == "Alice likes blue.");
  auto forged = second;
  forged["requestState"] = second.at("requestState").get<std::string>() + "-TAMPERED";
  CHECK(
      client.request("tools/call", retry(tool, {{"step2", accepted({{"color", "blue"}})}}, forged))
          .contains("error"));
}

TEST_CASE("a state completes only the call that it was made for") {
  virtual_engine engine{with_fixtures()};
  auto client = engine_client::modern(engine, all_capabilities);
  const auto* tool = "test_input_required_result_request_state";
  const auto first = client.call(tool);
  const json answers{{"confirm", accepted({{"ok", true}})}};
  const auto without = client.result("tools/call", retry(tool, answers, json::object()));
  CHECK(without.at("resultType") == "input_required");
  const auto done = client.result("tools/call", retry(tool, answers, first));
  CHECK(done.at("content")[0].at("text").get<std::string>().find("state-ok") != std::string::npos);
}

TEST_CASE("clients are asked only for what they declared") {
  virtual_engine engine{with_fixtures()};
  auto sampling = engine_client::modern(engine, {{"sampling", json::object()}});
  const auto asked = sampling.call("test_input_required_result_capabilities");
  CHECK(asked.at("inputRequests").size() == 1);
  CHECK(asked.at("inputRequests").at("greeting").at("method") == "sampling/createMessage");
  CHECK(!sampling.call("test_missing_capability").contains("isError"));
  auto nothing = engine_client::modern(engine);
  const auto error =
      nothing.request("tools/call", {{"name", "test_missing_capability"}}).at("error");
  CHECK(error.at("code") == -32021);
  CHECK(error.at("data").at("requiredCapabilities") == json{{"sampling", json::object()}});
}

TEST_CASE("a prompt can ask too") {
  virtual_engine engine{with_fixtures()};
  auto client = engine_client::modern(engine, all_capabilities);
  const json params{{"name", "test_input_required_result_prompt"}};
  const auto first = client.result("prompts/get", params);
  CHECK(first.at("resultType") == "input_required");
  auto again = params;
  again["inputResponses"] = {{"user_context", accepted({{"context", "tests"}})}};
  CHECK(client.result("prompts/get", again).at("messages").size() == 1);
  engine_client legacy{engine, "2025-11-25"};
  CHECK(legacy.request("prompts/get", params).at("error").at("code") == -32602);
}

TEST_CASE("changed lists are told to the clients that listen, and to no other") {
  virtual_engine engine{with_fixtures()};
  auto listener = engine_client::modern(engine);
  auto caller = engine_client::modern(engine);
  listener.begin("subscriptions/listen", {{"notifications", {{"toolsListChanged", true}}}});
  caller.call("test_trigger_tool_change");
  caller.call("test_trigger_prompt_change");
  engine.vs.advance(1s);
  CHECK(listener.messages("notifications/tools/list_changed").size() == 1);
  CHECK(listener.messages("notifications/prompts/list_changed").empty());
  CHECK(caller.messages("notifications/tools/list_changed").empty());
}

TEST_CASE("fixture prompts and resources answer what the suites expect") {
  virtual_engine engine{with_fixtures()};
  engine_client client{engine, "2025-11-25"};
  const auto prompt = client.result(
      "prompts/get", {{"name", "test_prompt_with_arguments"},
                      {"arguments", {{"arg1", "testValue1"}, {"arg2", "testValue2"}}}});
  const auto text = prompt.at("messages")[0].at("content").at("text").get<std::string>();
  CHECK(text.find("testValue1") != std::string::npos);
  CHECK(text.find("testValue2") != std::string::npos);
  const auto embedded =
      client.result("prompts/get", {{"name", "test_prompt_with_embedded_resource"},
                                    {"arguments", {{"resourceUri", "test://example-resource"}}}});
  REQUIRE(embedded.at("messages").size() == 2);
  CHECK(embedded.at("messages")[0].at("content").at("resource").at("uri") ==
        "test://example-resource");
  CHECK(client.result("prompts/get", {{"name", "test_prompt_with_image"}})
            .at("messages")[0]
            .at("content")
            .at("type") == "image");
  const auto contents =
      client.result("resources/read", {{"uri", "test://template/123/data"}}).at("contents");
  CHECK(json::parse(contents[0].at("text").get<std::string>()).at("id") == "123");
  CHECK(client.result("resources/read", {{"uri", "test://static-binary"}})
            .at("contents")[0]
            .contains("blob"));
  const auto completion =
      client
          .result("completion/complete",
                  {{"ref", {{"type", "ref/prompt"}, {"name", "test_prompt_with_arguments"}}},
                   {"argument", {{"name", "arg1"}, {"value", "par"}}}})
          .at("completion");
  CHECK(completion.at("values") == json{"paris", "park", "party"});
}
