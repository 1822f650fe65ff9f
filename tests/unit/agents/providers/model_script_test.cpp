#include "actors/agents/providers/model_script.hpp"

#include <doctest/doctest.h>

using namespace gasoline;
using nlohmann::json;

TEST_CASE("a script is read as it is written") {
  const auto script = read_model_script(json::parse(R"({"calls":[
    {"steps":[{"delay_ms":20,"text":"a"},{"thinking":"t","signature":"s"},
              {"tool_use":{"name":"shell","input":{"command":"ls"}}},
              {"event":{"type":"demo.ping","payload":{"n":1}}},{"delay_ms":5}],
     "stop_reason":"tool_use","usage":{"input_tokens":1,"output_tokens":2}},
    {"error":{"status":429,"retry_after_ms":50}}]})"));
  REQUIRE(script);
  REQUIRE(script->calls.size() == 2);
  const auto& first = script->calls[0];
  REQUIRE(first.steps.size() == 5);
  CHECK(first.steps[0].delay_ms == 20);
  CHECK(first.steps[1].signature == "s");
  CHECK(first.steps[2].input == json{{"command", "ls"}});
  CHECK(first.steps[3].name == "demo.ping");
  CHECK(first.steps[4].kind == script_step_kind::pause);
  CHECK(first.usage.output == 2);
  REQUIRE(script->calls[1].error);
  CHECK(script->calls[1].error->error_class == "rate_limited");
  CHECK(script->calls[1].error->retry_after_ms == 50U);
  CHECK(script->calls[1].error->can_retry);
}

TEST_CASE("what is wrong in a script is told with its place") {
  const std::pair<const char*, const char*> wrong[] = {
      {R"([])", "must be {\"calls\""},
      {R"({"calls":{}})", "must be {\"calls\""},
      {R"({"calls":[],"x":1})", "'x' is not known"},
      {R"({"calls":[7]})", "call 0: a call must be an object"},
      {R"({"calls":[{},{"stpes":[]}]})", "call 1: 'stpes' is not known here; use steps"},
      {R"({"calls":[{"steps":[{"text":"a"},{}]}]})", "call 0: step 1: a step needs"},
      {R"({"calls":[{"steps":[{"text":1}]}]})", "step 0: 'text' and 'thinking' must be strings"},
      {R"({"calls":[{"steps":[{"text":"a","thinking":"b"}]}]})", "make two steps"},
      {R"({"calls":[{"steps":[{"text":"a","signature":"b"}]}]})", "beside 'thinking'"},
      {R"({"calls":[{"steps":[{"signature":"b"}]}]})", "beside 'thinking'"},
      {R"({"calls":[{"steps":[{"delay_ms":-1,"text":"a"}]}]})", "'delay_ms' must be"},
      {R"({"calls":[{"steps":[{"delay_ms":1.5}]}]})", "'delay_ms' must be"},
      {R"({"calls":[{"steps":[{"tool_use":{"input":{}}}]}]})", "needs a 'name'"},
      {R"({"calls":[{"steps":[{"tool_use":{"name":"a","input":[]}}]}]})", "must be an object"},
      {R"({"calls":[{"steps":[{"event":{"type":"turn.started"}}]}]})", "of the catalog"},
      {R"({"calls":[{"steps":[{"event":{}}]}]})", "needs a 'type'"},
      {R"({"calls":[{"stop_reason":"done"}]})", "'stop_reason' must be one of"},
      {R"({"calls":[{"usage":{"input_tokens":-1}}]})", "'input_tokens' must be"},
      {R"({"calls":[{"usage":{"cost_usd":"1"}}]})", "'cost_usd' must be"},
      {R"({"calls":[{"error":{"status":200}}]})", "from 400 to 599"},
      {R"({"calls":[{"error":{"status":429,"retry_after_ms":"1"}}]})", "'retry_after_ms' must"},
  };
  for (const auto& row : wrong) {
    const std::string text{row.first};
    const std::string sentence{row.second};
    const auto script = read_model_script(json::parse(text));
    REQUIRE_MESSAGE(!script, text);
    CHECK_MESSAGE(script.error().message.find(sentence) != std::string::npos,
                  text << " -> " << script.error().message);
  }
  CHECK_FALSE(read_model_script(json::parse("{", nullptr, false)));
}
