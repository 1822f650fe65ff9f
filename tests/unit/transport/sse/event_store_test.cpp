#include "transport/sse/event_store.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <string>

using namespace gasoline;

namespace {

struct event_store_fixture {
  explicit event_store_fixture(const limits& given = {}) : limit(given) {}

  limits limit;
  std::shared_ptr<event_totals> total = std::make_shared<event_totals>();
  event_store store{"tag", total, limit};
};

std::string id_of(const sse_text& frame) {
  const auto begin = frame->find("id: ") + 4;
  return frame->substr(begin, frame->find('\n', begin) - begin);
}

} // namespace

TEST_CASE("an event carries its id and its data") {
  event_store_fixture f;
  CHECK(*f.store.add(3, R"({"a":1})") == "id: tag-3-1\nevent: message\ndata: {\"a\":1}\n\n");
  CHECK(*f.store.add_priming(3) == "id: tag-3-2\nretry: 500\ndata: \n\n");
  CHECK(id_of(f.store.add(0, "x")) == "tag-0-1");
}

TEST_CASE("resuming replays what that stream sent after the event, and no other stream's") {
  event_store_fixture f;
  f.store.add(1, "a1");
  f.store.add(2, "b1");
  const auto second = f.store.add(1, "a2");
  const auto third = f.store.add(1, "a3");
  const auto events = f.store.after(*f.store.parse("tag-1-1"));
  REQUIRE(events);
  REQUIRE(events->kept.size() == 2);
  CHECK(events->kept.at(0) == second);
  CHECK(events->kept.at(1) == third);
  CHECK(f.store.after(*f.store.parse("tag-1-3"))->kept.empty());
}

TEST_CASE("ids that this session has not sent are no ids") {
  event_store_fixture f;
  f.store.add(1, "a");
  for (const char* text : {"",
                           "tag",
                           "tag-",
                           "tag-1",
                           "tag-1-",
                           "tag-1-0",
                           "tag-1-2",
                           "tag-1--1",
                           "tag--1-1",
                           "tag-01-1",
                           "tag-1-01",
                           "tag-1-1 ",
                           "tag-1-1-1",
                           "other-1-1",
                           "1-1",
                           "tag-0-1",
                           "tag-1-18446744073709551616",
                           "tag-1-99999999999999999999999999",
                           "tag-1-+1",
                           "tag-1-1e0"}) {
    CAPTURE(text);
    CHECK(!f.store.parse(text));
  }
  CHECK(f.store.parse("tag-1-1"));
}

TEST_CASE("the oldest events go when there are too many") {
  limits limit;
  limit.mcp.event_entries = 3;
  event_store_fixture f{limit};
  for (int i = 0; i < 5; ++i)
    f.store.add(1, "x");
  CHECK(f.total->evicted == 2);
  CHECK(!f.store.after({1, 1}));
  CHECK(f.store.after({1, 2})->kept.size() == 3);
}

TEST_CASE("of unsolicited messages those that are left are replayed, and the others are counted") {
  limits limit;
  limit.mcp.event_entries = 2;
  event_store_fixture f{limit};
  for (int i = 0; i < 4; ++i)
    f.store.add(0, "x");
  REQUIRE(f.store.after({0, 1}));
  CHECK(f.store.after({0, 1})->kept.size() == 2);
  CHECK(f.store.after({0, 1})->lost == 1);
  CHECK(f.store.after({0, 2})->lost == 0);
}

TEST_CASE("bytes are bounded per session and over all sessions") {
  limits limit;
  limit.mcp.event_bytes = 1000;
  limit.mcp.event_total_bytes = 1200;
  event_store_fixture f{limit};
  const std::string data(300, 'x');
  for (int i = 0; i < 10; ++i)
    f.store.add(1, data);
  CHECK(f.store.bytes() <= 1000);
  CHECK(f.total->bytes == f.store.bytes());
  {
    event_store other{"other", f.total, f.limit};
    const auto first = other.add(1, data);
    CHECK(f.total->bytes <= 1200);
    CHECK(other.after({1, 0})->kept.front() ==
          first); // the older ones went, though others' they are
    for (int i = 0; i < 10; ++i)
      other.add(1, data);
    CHECK(f.total->bytes <= 1200);
    CHECK(f.total->bytes == f.store.bytes() + other.bytes());
    f.store.add(1, data);
    CHECK(f.store.bytes() > 0);
  }
  CHECK(f.total->bytes == f.store.bytes());
}

TEST_CASE("a closed stream is forgotten with its last event") {
  limits limit;
  limit.mcp.event_entries = 1;
  event_store_fixture f{limit};
  f.store.add(1, "x");
  f.store.close(1);
  CHECK(f.store.after({1, 1}));
  f.store.add(2, "y");
  CHECK(!f.store.after({1, 1}));
}
