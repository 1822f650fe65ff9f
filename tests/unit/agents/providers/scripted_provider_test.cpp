#include "actors/agents/providers/scripted_provider.hpp"
#include "tests/unit/support/turn_probe.hpp"
#include "tests/unit/support/virtual_system.hpp"

#include <doctest/doctest.h>

#include <chrono>

using namespace gasoline;
using namespace gasoline::test;
using namespace std::chrono_literals;
using nlohmann::json;

namespace {

/// One call of the scripted provider.
class scripted_probe {
 public:
  explicit scripted_probe(json script, std::uint64_t call_index = 0) {
    auto call = std::make_shared<model_call>();
    call->call_index = call_index;
    if (!script.is_null())
      call->script = script.dump();
    auto said = std::make_shared<session_message>();
    said->role = "user";
    said->content = json::array({{{"type", "text"}, {"text", "hello"}}});
    call->messages.push_back(said);
    turn = vs.own(vs.sys.spawn(noting_turn, notes));
    provider = vs.own(scripted_provider(vs.sys, call, turn));
  }

  virtual_system vs;
  turn_notes_ptr notes = std::make_shared<turn_notes>();
  turn_actor turn;
  provider_actor provider;
};

json one_call(json steps) {
  return {{"calls", json::array({{{"steps", std::move(steps)}}})}};
}

} // namespace

TEST_CASE("a scripted text comes in pieces that are whole characters") {
  const std::string text = "äöü€😀 and more";
  scripted_probe probe{one_call({{{"text", text}}})};
  CHECK(probe.notes->chunks.front().kind == chunk_kind::start);
  CHECK(probe.notes->text() == text);
  std::size_t pieces = 0;
  for (const auto& chunk : probe.notes->chunks) {
    if (chunk.kind != chunk_kind::text)
      continue;
    ++pieces;
    CHECK_NOTHROW((void)json(chunk.text).dump());
  }
  CHECK(pieces > 1);
  CHECK(probe.notes->chunks.back().stop_reason == "end_turn");
}

TEST_CASE("delays are those of the actor clock, and cancelling ends a wait") {
  scripted_probe probe{one_call({{{"text", "a"}}, {{"delay_ms", 20}, {"text", "b"}}})};
  CHECK(probe.notes->text() == "a");
  probe.vs.advance(19ms);
  CHECK(probe.notes->text() == "a");
  probe.vs.advance(1ms);
  CHECK(probe.notes->text() == "ab");
  CHECK(probe.notes->ended());

  scripted_probe cancelled{one_call({{{"text", "a"}}, {{"delay_ms", 20}, {"text", "b"}}})};
  caf::anon_send(cancelled.provider, cancel_atom_v);
  cancelled.vs.advance(1s);
  CHECK(cancelled.notes->text() == "a");
  CHECK_FALSE(cancelled.notes->ended());
}

TEST_CASE("a scripted tool call has its input in pieces") {
  const json input{{"command", "echo hello"}};
  scripted_probe probe{one_call({{{"tool_use", {{"name", "shell"}, {"input", input}}}}})};
  CHECK(json::parse(probe.notes->text(chunk_kind::tool_use_input)) == input);
  CHECK(probe.notes->chunks[1].tool_name == "shell");
  CHECK_FALSE(probe.notes->chunks[1].tool_use_id.empty());
  CHECK(probe.notes->chunks.back().stop_reason == "tool_use");
}

TEST_CASE("each call plays its own element, errors and foreign events too") {
  const json script{
      {"calls",
       {{{"error", {{"status", 529}}}},
        {{"steps", {{{"text", "half"}}}}, {"error", {{"status", 500}}}},
        {{"steps", {{{"event", {{"type", "demo.ping"}, {"payload", {{"n", 1}}}}}}}}}}}};
  scripted_probe first{script, 0};
  REQUIRE(first.notes->chunks.size() == 1);
  CHECK(first.notes->chunks[0].failure.error_class == "overloaded");
  scripted_probe second{script, 1};
  CHECK(second.notes->text() == "half");
  CHECK(second.notes->chunks.back().failure.status == 500);
  scripted_probe third{script, 2};
  CHECK(third.notes->chunks[1].kind == chunk_kind::foreign);
  CHECK(third.notes->chunks[1].tool_name == "demo.ping");
  CHECK(third.notes->chunks[1].json == json{{"n", 1}});
}

TEST_CASE("without a script there is an answer, and after its end there is one") {
  scripted_probe echo{nullptr};
  CHECK(echo.notes->text().find("hello") != std::string::npos);
  CHECK(echo.notes->chunks.back().stop_reason == "end_turn");
  scripted_probe after{one_call({{{"text", "a"}}}), 1};
  CHECK(after.notes->text().find("The script has ended") != std::string::npos);
  CHECK(after.notes->chunks.back().kind == chunk_kind::finished);
  scripted_probe wrong{json{{"calls", 7}}};
  CHECK(wrong.notes->chunks.back().failure.error_class == "invalid_request");
}
