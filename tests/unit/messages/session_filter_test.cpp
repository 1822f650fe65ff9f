#include "messages/agents/session_filter.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>

using namespace gasoline;
using nlohmann::json;

namespace {

std::set<std::string> types_of(const json& filter) {
  const auto parsed = parse_session_filter(filter);
  REQUIRE(parsed);
  const auto shown = to_json_document(*parsed);
  return shown["event_types"].get<std::set<std::string>>();
}

std::string refusal(const json& filter) {
  const auto parsed = parse_session_filter(filter);
  REQUIRE_FALSE(parsed);
  return parsed.error().message;
}

} // namespace

TEST_CASE("presets stand for lists of types") {
  const auto chat = types_of("preset:chat");
  const auto full = types_of("preset:full");
  CHECK(full.size() == session_event_types);
  for (const char* type :
       {"text.delta", "message.complete", "turn.cancelled", "route.decided", "llm.call_failed",
        "tool.called", "delegate.failed", "feedback.recorded", "alert.raised"})
    CHECK(chat.count(type) == 1);
  CHECK(chat.count("bus.handler_warning") == 0);
  CHECK(chat.size() == full.size() - 2);
}

TEST_CASE("a resolved filter is a filter of its own") {
  for (const json& filter :
       {json("preset:chat"), json{{"event_types", {"text.delta"}}, {"actors", {"agent"}}},
        json{{"event_types", nullptr}, {"include_worker_sessions", true}}}) {
    const auto once = to_json_document(*parse_session_filter(filter));
    CHECK(to_json_document(*parse_session_filter(once)) == once);
  }
}

TEST_CASE("what is not exactly right is refused by name") {
  CHECK(refusal({{"event_types", {"made.up.thing"}}}).find("'made.up.thing'") != std::string::npos);
  CHECK(refusal({{"event_types", {7}}}).find('7') != std::string::npos);
  CHECK(refusal({{"event_types", "text.delta"}}).find("array") != std::string::npos);
  CHECK(refusal({{"events", json::array()}}).find("'events'") != std::string::npos);
  CHECK(refusal({{"actors", {""}}}).find("actors") != std::string::npos);
  CHECK(refusal({{"include_worker_sessions", 1}}).find("true or false") != std::string::npos);
  CHECK(refusal("preset:all").find("preset:all") != std::string::npos);
  CHECK_FALSE(refusal(nullptr).empty());
  CHECK_FALSE(refusal(json::array()).empty());
}

TEST_CASE("filters look at type, actor and session") {
  session_event e;
  e.type = session_event_type::text_delta;
  const agent_session_id own{"s"};
  const agent_session_id parent{"parent"};
  e.session_id = own;
  e.actor = "agent";
  auto filter = *parse_session_filter({{"event_types", {"text.delta"}}, {"actors", {"agent"}}});
  CHECK(filter.matches(e, own));
  CHECK_FALSE(filter.matches(e, parent));
  filter.with_workers = true;
  CHECK(filter.matches(e, parent));
  e.actor = "user";
  CHECK_FALSE(filter.matches(e, own));
  e.actor = "agent";
  e.type = session_event_type::turn_started;
  CHECK_FALSE(filter.matches(e, own));
  // A type outside the catalog is in no list; it comes to those who want all.
  e.type = session_event_type::other;
  CHECK_FALSE(filter.matches(e, own));
  CHECK_FALSE(parse_session_filter({{"event_types", json::array()}})->matches(e, own));
  CHECK_FALSE(parse_session_filter("preset:chat")->matches(e, own));
  CHECK(parse_session_filter("preset:full")->matches(e, own));
  CHECK(parse_session_filter({{"event_types", nullptr}})->matches(e, own));
}

TEST_CASE("payloads are checked against the catalog") {
  using type = session_event_type;
  CHECK(session_event_catalog().size() == session_event_types + 1);
  for (std::size_t i = 0; i < session_event_catalog().size(); ++i)
    CHECK(static_cast<std::size_t>(session_event_catalog()[i].type) == i);
  const json delta{{"message_id", "m"}, {"content_block_index", 0}, {"text", "x"}};
  CHECK_FALSE(payload_fault(type::text_delta, delta));
  auto extra = delta;
  extra["more"] = 1;
  CHECK_FALSE(payload_fault(type::text_delta, extra));
  auto wrong = delta;
  wrong["content_block_index"] = 0.5;
  CHECK(payload_fault(type::text_delta, wrong)->find("content_block_index") != std::string::npos);
  wrong.erase("content_block_index");
  CHECK(payload_fault(type::text_delta, wrong)->find("lacks") != std::string::npos);
  CHECK(payload_fault(type::text_delta, json::array()));
}

TEST_CASE("a frame is one JSON document, whatever the text") {
  event_draft draft;
  draft.type = session_event_type::text_delta;
  draft.turn_id = agent_turn_id{"turn_1"};
  draft.actor = "a\"b";
  draft.payload = {{"message_id", "m"}, {"content_block_index", 0}, {"text", "\xFF\n\"\x7F"}};
  const auto e = make_session_event(draft, "evt_1", agent_session_id{"sess_1"},
                                    agent_session_id{"sess_0"}, wall_time{});
  const auto frame = json::parse(e->frame);
  CHECK(frame["type"] == "event");
  CHECK(frame["event"]["parent_session_id"] == "sess_0");
  CHECK(frame["event"]["actor"] == "a\"b");
  CHECK(frame["event"]["payload"]["text"] == "\xEF\xBF\xBD\n\"\x7F");
  CHECK(e->message_id.text() == "m");
}
