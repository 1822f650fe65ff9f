#include "messages/base/identity/typed_id.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_set>

using namespace gasoline;

// Text becomes an id only where somebody says so, and an id of one kind none of another.
static_assert(!std::is_convertible_v<std::string, agent_turn_id>);
static_assert(!std::is_convertible_v<const char*, agent_turn_id>);
static_assert(!std::is_convertible_v<agent_session_id, agent_turn_id>);
static_assert(!std::is_constructible_v<agent_turn_id, agent_session_id>);
static_assert(std::is_constructible_v<agent_turn_id, std::string>);
static_assert(std::is_convertible_v<agent_turn_id, const std::string&>);
static_assert(std::is_convertible_v<agent_turn_id, std::string_view>);

TEST_CASE("an id reads as text, in JSON too, and is compared and hashed by it") {
  const agent_turn_id id{"turn_1"};
  const std::string& text = id;
  CHECK(text == "turn_1");
  CHECK(nlohmann::json{{"turn_id", id}}.dump() == R"({"turn_id":"turn_1"})");
  CHECK(id == agent_turn_id{text});
  CHECK(id < agent_turn_id{"turn_2"});
  CHECK(std::unordered_set<agent_turn_id>{id, agent_turn_id{"turn_1"}}.size() == 1);
  CHECK(agent_turn_id{}.empty());
}

TEST_CASE("a source makes ids of each kind, in order") {
  ulid_source ids{[] { return std::uint64_t{7}; }};
  const auto first = agent_session_id::next(ids, wall_time{});
  const auto second = agent_session_id::next(ids, wall_time{});
  CHECK(is_id(id_kind::session, first));
  CHECK(first < second);
  CHECK(is_id(id_kind::message, agent_message_id::next(ids, wall_time{})));
}
