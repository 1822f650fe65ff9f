#include "actors/telemetry/event_sequence.hpp"

#include <doctest/doctest.h>

#include <memory>

namespace gasoline {
namespace {

constexpr std::uint64_t some = 3 * event_chunk::capacity + 7;

std::weak_ptr<const event> add(event_sequence& to, std::uint64_t sequence) {
  auto e = std::make_shared<event>();
  e->sequence = sequence;
  to.push_back(e);
  return e;
}

std::vector<std::uint64_t> sequences_in(const event_snapshot& all) {
  std::vector<std::uint64_t> out;
  for (const auto& stretch : all.stretches)
    for (auto i = stretch.first; i < stretch.end; ++i)
      out.push_back(stretch.chunk->events[i]->sequence);
  return out;
}

std::vector<std::uint64_t> numbers(std::uint64_t first, std::uint64_t last) {
  std::vector<std::uint64_t> out;
  for (auto n = first; n <= last; ++n)
    out.push_back(n);
  return out;
}

} // namespace

TEST_CASE("event_sequence: what goes at the front and comes at the back is where it should be") {
  event_sequence events;
  std::uint64_t oldest = 1;
  for (std::uint64_t n = 1; n <= some; ++n) {
    add(events, n);
    if (n % 2 == 0) {
      events.pop_front();
      ++oldest;
    }
    REQUIRE(events.front()->sequence == oldest);
    REQUIRE(events.back()->sequence == n);
  }
  CHECK(events.size() == some - oldest + 1);
  CHECK(events[5]->sequence == oldest + 5);
  CHECK(events.count_before(0) == 0);
  CHECK(events.count_before(oldest + 5) == 5);
  CHECK(events.count_before(some + 9) == events.size());
}

TEST_CASE("event_sequence: a snapshot stays as it was, whatever comes and goes") {
  event_sequence events;
  for (std::uint64_t n = 1; n <= some; ++n)
    add(events, n);
  for (int i = 0; i < 5; ++i)
    events.pop_front();
  event_snapshot all;
  events.share(all);
  CHECK(all.size == some - 5);
  for (std::uint64_t n = some + 1; n <= 2 * some; ++n) {
    add(events, n);
    events.pop_front();
  }
  CHECK(sequences_in(all) == numbers(6, some));
  event_snapshot later;
  events.share(later);
  CHECK(sequences_in(later) == numbers(some + 6, 2 * some));
}

TEST_CASE("event_sequence: what was dropped is gone, once nobody shares it") {
  event_sequence events;
  const auto alone = add(events, 1);
  const auto shared = add(events, 2);
  const auto kept = add(events, 3);
  events.pop_front();
  CHECK(alone.expired());
  event_snapshot all;
  events.share(all);
  events.pop_front();
  CHECK_FALSE(shared.expired());
  all = {};
  CHECK(shared.expired());
  CHECK_FALSE(kept.expired());
  events.pop_front();
  CHECK(kept.expired());
  CHECK(events.empty());
  add(events, 4);
  CHECK(events.front()->sequence == 4);
}

} // namespace gasoline
