#include "messages/agents/session_message.hpp"
#include "messages/base/shared_text.hpp"

#include <doctest/doctest.h>

using namespace gasoline;

TEST_CASE("copies of a text are one text") {
  const shared_text text{std::string(1'000, 't')};
  const auto copy = text;
  CHECK(&copy.str() == &text.str());
  CHECK(copy.size() == 1'000);
  CHECK_FALSE(copy.empty());
}

TEST_CASE("no text is an empty one") {
  CHECK(shared_text{}.empty());
  CHECK(shared_text{std::string{}}.empty());
  CHECK(shared_text{}.str().empty());
  CHECK(shared_text{}.size() == 0);
}

TEST_CASE("copies of a session share its long texts") {
  session_summary session;
  session.system_prompt = std::string(1'000, 'p');
  session.script = std::string(1'000, 's');
  session.queue.push_back(make_queued_turn(agent_turn_id{"turn_1"}, {{"text", "wait"}}));
  const auto copy = session;
  CHECK(&copy.system_prompt.str() == &session.system_prompt.str());
  CHECK(&copy.script.str() == &session.script.str());
  CHECK(copy.queue.front().content == session.queue.front().content);
}
