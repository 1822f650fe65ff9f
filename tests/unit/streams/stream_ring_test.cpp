#include "actors/redaction/redaction_engine.hpp"
#include "actors/streams/stream_ring.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace gasoline;

namespace {

const redaction_engine& ring_engine() {
  static const redaction_engine engine{{}};
  return engine;
}

stream_event_ptr numbered(std::uint64_t id, std::size_t bytes = 10, const std::string& topic = {}) {
  auto out = std::make_shared<stream_event>();
  out->id = id;
  out->topic = ring_engine().text(topic);
  out->data = ring_engine().json_value('"' + std::string(bytes, 'x') + '"');
  return out;
}

std::vector<std::uint64_t> ids_after(const stream_ring& ring, std::uint64_t id) {
  std::vector<std::uint64_t> out;
  ring.for_each_after(id, [&](const stream_event_ptr& e) {
    out.push_back(e->id);
    return true;
  });
  return out;
}

constexpr std::uint64_t plenty = 1U << 20U;

} // namespace

TEST_CASE("a ring keeps the last events and counts what it drops") {
  stream_ring ring{3, plenty};
  for (std::uint64_t i = 1; i <= 5; ++i)
    ring.push(numbered(ring.next_id()), i * 10);
  CHECK(ids_after(ring, 0) == std::vector<std::uint64_t>{3, 4, 5});
  CHECK(ids_after(ring, 3) == std::vector<std::uint64_t>{4, 5});
  CHECK(ids_after(ring, 5).empty());
  CHECK(ids_after(ring, 99).empty());
  CHECK(ring.evicted() == 2);
  CHECK(ring.missed_after(0) == 2);
  CHECK(ring.missed_after(1) == 1);
  CHECK(ring.missed_after(2) == 0);
  CHECK(ring.missed_after(99) == 0);
  CHECK(ring.oldest_order() == 30);
}

TEST_CASE("a ring keeps its bytes, but never drops the newest event") {
  const auto one = stream_ring::cost_of(*numbered(1, 1000));
  stream_ring ring{100, 3 * one};
  for (int i = 0; i < 10; ++i)
    ring.push(numbered(ring.next_id(), 1000), 1);
  CHECK(ring.size() == 3);
  CHECK(ring.bytes() == 3 * one);
  ring.push(numbered(ring.next_id(), 10'000), 1);
  CHECK(ids_after(ring, 0) == std::vector<std::uint64_t>{11});
}

TEST_CASE("ids go on after a purge, and what was purged is not evicted") {
  stream_ring ring{10, plenty};
  ring.push(numbered(1, 10, "a"), 1);
  ring.clear();
  CHECK(ring.bytes() == 0);
  CHECK(ring.topics().empty());
  CHECK(ring.next_id() == 2);
  CHECK(ring.evicted() == 0);
  ring.push(numbered(2), 2);
  CHECK(ids_after(ring, 0) == std::vector<std::uint64_t>{2});
}

TEST_CASE("a ring knows the topics of what it holds") {
  stream_ring ring{2, plenty};
  ring.push(numbered(1, 10, "a"), 1);
  ring.push(numbered(2, 10, "b"), 2);
  ring.push(numbered(3, 10, "b"), 3);
  REQUIRE(ring.topics().size() == 1);
  CHECK(ring.topics().at("b") == 2);
}

TEST_CASE("the accounts of a ring hold whatever happens to it") {
  const bool holds = rc::check([] {
    const auto capacity = *rc::gen::inRange<std::uint64_t>(1, 20);
    const auto steps = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 3000));
    stream_ring ring{capacity, 8'000};
    std::uint64_t pushed = 0;
    for (const int step : steps) {
      if (step % 17 == 0 && ring.size() > 0)
        ring.drop_oldest();
      else
        ring.push(numbered(ring.next_id(), static_cast<std::size_t>(step)), ++pushed);
    }
    const auto ids = ids_after(ring, 0);
    std::uint64_t bytes = 0;
    ring.for_each_backwards([&](const stream_event_ptr& e) {
      bytes += stream_ring::cost_of(*e);
      return true;
    });
    RC_ASSERT(ids.size() == ring.size());
    RC_ASSERT(ring.size() <= capacity);
    RC_ASSERT(bytes == ring.bytes());
    RC_ASSERT(ring.bytes() <= 8'000);
    RC_ASSERT(ring.size() + ring.evicted() == pushed);
    for (std::size_t i = 1; i < ids.size(); ++i)
      RC_ASSERT(ids[i] == ids[i - 1] + 1);
  });
  CHECK(holds);
}
