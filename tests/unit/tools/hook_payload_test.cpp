#include "tools/hook/hook_client.hpp"
#include "tools/hook/hook_payload.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

using namespace gasoline;

TEST_CASE("our observe is known by every client's name for it") {
  for (const auto* name : {"mcp__gasoline__observe", "mcp_gasoline_observe", "gasoline-observe",
                           "gasoline__observe", "gasoline_observe", "gasoline/observe", "observe"})
    CHECK(is_own_observe(name));
  for (const auto* name : {"", "Bash", "mcp__gasoline__configure", "reobserve", "observed"})
    CHECK_FALSE(is_own_observe(name));
}

TEST_CASE("a batch with our observe in it counts, names inside of arguments do not") {
  const auto batch = parse_hook_payload(
      R"({"session_id":"a","tool_calls":[{"tool_name":"Bash"},{"tool_name":"mcp__gasoline__observe"}]})");
  REQUIRE(batch);
  CHECK(batch->own_tool);
  const auto other = parse_hook_payload(
      R"({"session_id":"a","tool_name":"Bash","tool_input":{"tool_name":"observe","session_id":"b"}})");
  REQUIRE(other);
  CHECK_FALSE(other->own_tool);
  CHECK(other->conversation == "a");
}

TEST_CASE("a run that goes on already says so as a flag or as a count") {
  CHECK(parse_hook_payload(R"({"stop_hook_active":true})")->continues);
  CHECK(parse_hook_payload(R"({"loop_count":1})")->continues);
  CHECK_FALSE(parse_hook_payload(R"({"stop_hook_active":false,"loop_count":0})")->continues);
}

TEST_CASE("what is no whole object is not understood") {
  for (const auto* text : {"", "{", "[]", "[{\"session_id\":\"a\"}]", "null", "{\"a\":1}x", "hello",
                           "{\"session_id\":\"a\""})
    CHECK_FALSE(parse_hook_payload(text));
}

TEST_CASE("every client's output has its keys and no others") {
  const auto output = [](std::string_view client, std::string_view event) {
    return hook_output(*find_hook_event(*find_hook_client(client), event), "T");
  };
  CHECK(output("claude", "PostToolBatch") ==
        R"({"hookSpecificOutput":{"hookEventName":"PostToolBatch","additionalContext":"T"}})");
  CHECK(output("codex", "Stop") == R"({"decision":"block","reason":"T"})");
  CHECK(output("gemini", "AfterAgent") == R"({"decision":"deny","reason":"T"})");
  CHECK(output("copilot", "PostToolUse") == R"({"additionalContext":"T"})");
  CHECK(output("cline", "PostToolUse") == R"({"cancel":false,"contextModification":"T"})");
  CHECK(output("cursor", "stop") == R"({"followup_message":"T"})");
  CHECK(output("opencode", "chat.message") == R"({"context":"T"})");
  CHECK_FALSE(find_hook_client("nobody"));
  CHECK_FALSE(find_hook_event(*find_hook_client("claude"), "SessionEnd"));
}
