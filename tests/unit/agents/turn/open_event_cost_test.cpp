#include "actors/agents/turn/open_event_cost.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace gasoline;
using nlohmann::json;

namespace {

/// What the event is kept as, in bytes.
std::size_t frame_size(const event_draft& draft) {
  const auto kept = make_session_event(draft, "evt_01J00000000000000000000000",
                                       agent_session_id{"sess_01J00000000000000000000000"},
                                       agent_session_id{"sess_01J00000000000000000000000"}, {});
  return kept->frame.size();
}

event_draft delta(json payload) {
  event_draft out;
  out.type = session_event_type::text_delta;
  out.turn_id = agent_turn_id{"turn_01J00000000000000000000000"};
  out.actor = "agent";
  out.payload = std::move(payload);
  return out;
}

} // namespace

TEST_CASE("an event costs no less than its frame, whatever it is made of") {
  const json of_message{{"message_id", "msg_1"}, {"content_block_index", 0}};
  const auto with = [&](const char* key, json value) {
    auto payload = of_message;
    payload[key] = std::move(value);
    return delta(std::move(payload));
  };
  auto named = with("text", "a");
  named.actor = std::string(50'000, 'n');
  for (const auto& draft :
       {with("text", "a"), with("text", std::string(100'000, 'a')),
        with("text", std::string(100'000, '\1')), with("text", std::string(100'000, '"')),
        with("text", std::string(100'000, '\\')), with("unknown", std::string(100'000, 'u')),
        with("list", json::array_t(10'000, json(1.0 / 3))),
        with("list", json::array_t(10'000, json(nullptr))),
        with("list", json::array_t(10'000, json::array())), named})
    CHECK(open_event_cost(draft) >= frame_size(draft));
}

TEST_CASE("a short event costs little beside its text") {
  CHECK(open_event_cost(delta({{"message_id", "msg_1"}, {"text", "a"}})) < 2'000);
}
