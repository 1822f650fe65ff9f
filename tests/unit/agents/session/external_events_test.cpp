#include "actors/agents/session/external_events.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <string>

using namespace gasoline;
using nlohmann::json;

namespace {

json external_event_of(const char* type, json payload) {
  return {{"type", type}, {"turn_id", "t1"}, {"payload", std::move(payload)}};
}

json called_tool(int number, std::size_t bytes) {
  return external_event_of("tool.called", {{"tool_use_id", "u" + std::to_string(number)},
                                           {"tool_name", "search"},
                                           {"input", {{"text", std::string(bytes, 'x')}}}});
}

json completed_tool(int number) {
  return external_event_of("tool.completed", {{"tool_use_id", "u" + std::to_string(number)},
                                              {"tool_name", "search"},
                                              {"result", "found"},
                                              {"duration_ms", 1},
                                              {"is_error", false}});
}

} // namespace

TEST_CASE(
    "calls of tools that never end are bounded in memory, the newest are joined to their end") {
  limits limit;
  limit.session.message_bytes = 4'000;
  const auto budget = std::make_shared<byte_budget>(100'000);
  external_events events{limit, [] { return agent_message_id{"msg_1"}; }, budget_share{budget}};
  REQUIRE(events.read(external_event_of("turn.started", json::object())));
  for (int n = 0; n < 100; ++n)
    REQUIRE(events.read(called_tool(n, 500)));
  CHECK(budget->used() <= 4'000);
  CHECK(budget->used() > 1'000);

  const auto forgotten = events.read(completed_tool(0));
  REQUIRE(forgotten);
  CHECK(forgotten->front().tool == nullptr);
  const auto known = events.read(completed_tool(99));
  REQUIRE(known);
  REQUIRE(known->front().tool);
  CHECK(known->front().tool->status == "completed");
  CHECK(known->front().tool->input["text"].get<std::string>().size() == 500);

  REQUIRE(events.read(external_event_of("turn.completed", {{"stop_reason", "end_turn"}})));
  CHECK(budget->used() == 0);
}
