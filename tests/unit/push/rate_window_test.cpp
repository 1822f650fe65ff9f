#include "actors/push/rate_window.hpp"
#include "tests/unit/support/alert_samples.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <vector>

using namespace gasoline;
using namespace gasoline::test;
using namespace std::chrono_literals;

TEST_CASE("a rate window takes its maximum and then says when the next slot frees") {
  rate_window w{3, 60s};
  CHECK(w.take(at(0s)));
  CHECK(w.take(at(1s)));
  CHECK(w.take(at(2s)));
  CHECK_FALSE(w.take(at(3s)));
  CHECK(w.next_free(at(3s)) == at(60s));
  CHECK_FALSE(w.take(at(60s) - 1ns));
  CHECK(w.take(at(60s)));
  CHECK(w.next_free(at(60s)) == at(61s));
}

TEST_CASE("a rate window with room is free at once") {
  rate_window w{1, 60s};
  CHECK(w.next_free(at(5s)) == at(5s));
  CHECK(w.take(at(5s)));
  CHECK(w.next_free(at(500s)) == at(500s));
}

TEST_CASE("a burst at the end of one minute leaves nothing for the start of the next") {
  rate_window w{12, 60s};
  for (int i = 0; i < 12; ++i)
    CHECK(w.take(at(59s)));
  CHECK_FALSE(w.take(at(61s)));
  CHECK(w.next_free(at(61s)) == at(119s));
}

TEST_CASE("property: no window of that length holds more than the maximum") {
  const bool held = rc::check("rate window", [] {
    const auto max = *rc::gen::inRange<std::size_t>(1, 15);
    rate_window w{max, 60s};
    std::vector<mono_time> taken;
    mono_time now = at(0s);
    const auto gaps = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 9'000));
    for (const int gap : gaps) {
      now += std::chrono::milliseconds{gap};
      const bool free = w.next_free(now) == now;
      RC_ASSERT(w.take(now) == free);
      if (free)
        taken.push_back(now);
    }
    for (std::size_t i = max; i < taken.size(); ++i)
      RC_ASSERT(taken[i] - taken[i - max] >= 60s);
  });
  CHECK(held);
}
