#include "transport/nats/unacknowledged_events.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

using namespace gasoline;
using namespace std::chrono_literals;

namespace {

store_events some_events(std::size_t count,
                         std::optional<std::chrono::milliseconds> patience = {}) {
  store_events out;
  out.stream = "s";
  out.patience = patience;
  for (std::size_t i = 0; i < count; ++i)
    out.events.push_back(std::make_shared<stream_event>());
  return out;
}

struct unacknowledged_fixture {
  using clock = unacknowledged_events::clock;

  std::uint64_t add(const store_events& wanted) {
    return queue.add(wanted, now,
                     [this](stored_places places) { done.push_back(std::move(places)); });
  }

  void send(std::uint64_t from) {
    queue.send_from(from, now,
                    [this](std::uint64_t number, const nats_message&) { sent.push_back(number); });
  }

  void send_again() {
    queue.send_again(now, 1s,
                     [this](std::uint64_t number, const nats_message&) { sent.push_back(number); });
  }

  unacknowledged_events queue;
  clock::time_point now{};
  std::vector<stored_places> done;
  std::vector<std::uint64_t> sent;
};

} // namespace

TEST_CASE("events are answered for together, in their order") {
  unacknowledged_fixture f;
  const auto first = f.add(some_events(2));
  f.queue.settle(first + 1, {12, stream_outcome::done, {}});
  CHECK(f.done.empty());
  f.queue.settle(first, {11, stream_outcome::done, {}});
  f.queue.settle(first, {99, stream_outcome::done, {}});
  REQUIRE(f.done.size() == 1);
  CHECK(f.done.front()[0].id == 11);
  CHECK(f.done.front()[1].id == 12);
  CHECK(f.queue.empty());
  CHECK(f.queue.bytes() == 0);
}

TEST_CASE("after a loss everything that is open is sent again, oldest first") {
  unacknowledged_fixture f;
  f.add(some_events(3));
  f.send(1);
  f.queue.settle(2, {5, stream_outcome::done, {}});
  f.send(0);
  CHECK(f.sent == std::vector<std::uint64_t>{1, 2, 3, 1, 3});
}

TEST_CASE("what was sent long ago is sent again, what has no time left is given up") {
  unacknowledged_fixture f;
  f.add(some_events(1, 5s));
  f.add(some_events(1));
  f.send(1);
  f.now += 2s;
  f.send_again();
  CHECK(f.sent == std::vector<std::uint64_t>{1, 2, 1, 2});
  f.now += 3s;
  f.queue.expire(f.now, "too late");
  REQUIRE(f.done.size() == 1);
  CHECK(f.done.front()[0].outcome == stream_outcome::unreachable);
  CHECK(f.done.front()[0].problem == "too late");
  CHECK_FALSE(f.queue.empty());
}

TEST_CASE(
    "while a stream cannot be written to, its oldest event is tried, and the rest follows it") {
  unacknowledged_fixture f;
  auto elsewhere = some_events(1);
  elsewhere.stream = "other";
  f.add(some_events(2));
  f.send(1);
  f.queue.stall(2);
  f.send(f.add(some_events(1)));
  f.send(f.add(elsewhere));
  CHECK(f.sent == std::vector<std::uint64_t>{1, 2, 4});
  f.now += 1s;
  f.send_again();
  CHECK(f.sent == std::vector<std::uint64_t>{1, 2, 4, 1, 4});
  CHECK_FALSE(f.queue.settle(4, {1, stream_outcome::done, {}}));
  const auto waited = f.queue.settle(1, {5, stream_outcome::done, {}});
  REQUIRE(waited == "s");
  f.queue.send_stream(*waited, f.now,
                      [&](std::uint64_t number, const nats_message&) { f.sent.push_back(number); });
  CHECK(f.sent == std::vector<std::uint64_t>{1, 2, 4, 1, 4, 2, 3});
  CHECK_FALSE(f.queue.settle(2, {6, stream_outcome::done, {}}));
  f.send(f.add(some_events(1)));
  CHECK(f.sent.back() == 5);
}

TEST_CASE("on a new connection a stream is taken for writable again") {
  unacknowledged_fixture f;
  f.add(some_events(2));
  f.queue.stall(1);
  f.send(1);
  CHECK(f.sent.empty());
  f.queue.resume();
  f.send(1);
  CHECK(f.sent == std::vector<std::uint64_t>{1, 2});
}

TEST_CASE("a stream's end gives up its events") {
  unacknowledged_fixture f;
  f.add(some_events(2));
  f.queue.drop_stream("other", {0, stream_outcome::not_found, "gone"});
  CHECK(f.done.empty());
  f.queue.drop_stream("s", {0, stream_outcome::not_found, "gone"});
  CHECK(f.done.size() == 1);
}
