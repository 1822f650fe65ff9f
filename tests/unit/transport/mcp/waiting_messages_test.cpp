#include "transport/mcp/waiting_messages.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <string>

using namespace gasoline;

namespace {

rpc_text message(char name, std::size_t bytes = 1) {
  return std::make_shared<const std::string>(bytes, name);
}

limits with_total(std::uint64_t total_bytes) {
  limits out;
  out.mcp.event_total_bytes = total_bytes;
  return out;
}

} // namespace

TEST_CASE("messages wait in order, up to their number, and leave once") {
  limits limit;
  limit.mcp.waiting_messages = 2;
  waiting_messages waiting{std::make_shared<event_totals>(), limit};
  CHECK(waiting.add(message('a')) == 0);
  CHECK(waiting.add(message('b')) == 0);
  CHECK(waiting.add(message('c')) == 1);
  const auto taken = waiting.take();
  REQUIRE(taken.size() == 2);
  CHECK(*taken.front() == "b");
  CHECK(waiting.take().empty());
  CHECK(waiting.take_lost() == 1);
  CHECK(waiting.take_lost() == 0);
}

TEST_CASE("messages that wait are bounded in bytes, for one session and for all") {
  limits limit = with_total(100);
  limit.mcp.event_bytes = 60;
  const auto total = std::make_shared<event_totals>();
  waiting_messages one{total, limit};
  waiting_messages other{total, limit};
  for (int i = 0; i < 5; ++i)
    one.add(message('a', 20));
  CHECK(total->bytes == 60);
  for (int i = 0; i < 5; ++i)
    other.add(message('b', 20));
  CHECK(total->bytes == 100);
  CHECK(one.take().size() == 3);
  CHECK(other.take().size() == 2);
  CHECK(total->bytes == 0);
}

TEST_CASE("what a client has had goes before what it has yet to be told") {
  const limits limit = with_total(100);
  const auto total = std::make_shared<event_totals>();
  event_store store{"tag", total, limit};
  store.add(1, std::string(40, 'x'));
  {
    waiting_messages waiting{total, limit};
    CHECK(waiting.add(message('a', 90)) == 0);
    CHECK(store.bytes() == 0);
    CHECK(total->bytes == 90);
  }
  CHECK(total->bytes == 0);
}
