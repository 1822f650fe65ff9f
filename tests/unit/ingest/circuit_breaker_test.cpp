#include "actors/ingest/circuit_breaker.hpp"

#include <doctest/doctest.h>

namespace gasoline {

using namespace std::chrono_literals;
using transition = circuit_breaker::transition;

TEST_CASE("the breaker opens after 5 s above the backlog limit and closes after 10 s below") {
  const limits limit;
  circuit_breaker breaker{limit.ingest};
  const mono_time start{};
  const auto hot = limit.ingest.breaker_backlog_bytes + 1;
  CHECK_FALSE(breaker.update(hot, 0ms, start));
  CHECK_FALSE(breaker.update(hot, 0ms, start + 4999ms));
  CHECK(breaker.update(hot, 0ms, start + 5s) == transition::opened);
  CHECK(breaker.is_open());
  CHECK_FALSE(breaker.update(0, 0ms, start + 6s));
  CHECK_FALSE(breaker.update(0, 0ms, start + 15999ms));
  CHECK(breaker.update(0, 0ms, start + 16s) == transition::closed);
  CHECK_FALSE(breaker.is_open());
  CHECK_FALSE(breaker.needs_watch());
}

TEST_CASE("lag counts like backlog, and one look below starts anew") {
  circuit_breaker breaker{limits{}.ingest};
  const mono_time start{};
  CHECK_FALSE(breaker.update(0, 501ms, start));
  CHECK_FALSE(breaker.update(0, 500ms, start + 3s));
  CHECK_FALSE(breaker.update(0, 501ms, start + 4s));
  CHECK_FALSE(breaker.update(0, 501ms, start + 8s));
  CHECK(breaker.update(0, 501ms, start + 9s) == transition::opened);
}

TEST_CASE("heat while open postpones the closing") {
  circuit_breaker breaker{limits{}.ingest};
  const mono_time start{};
  breaker.update(0, 1s, start);
  REQUIRE(breaker.update(0, 1s, start + 5s) == transition::opened);
  CHECK_FALSE(breaker.update(0, 0ms, start + 6s));
  CHECK_FALSE(breaker.update(0, 1s, start + 15s));
  CHECK_FALSE(breaker.update(0, 0ms, start + 16s));
  CHECK_FALSE(breaker.update(0, 0ms, start + 25s));
  CHECK(breaker.update(0, 0ms, start + 26s) == transition::closed);
}

} // namespace gasoline
