#include "actors/detection/error_spike.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <map>
#include <vector>

using namespace gasoline;
using namespace std::chrono_literals;

namespace {

mono_time at(std::chrono::milliseconds since_start) {
  return mono_time{} + 1000h + since_start;
}

/// The definition of a spike, counted out anew every time.
class naive_spike {
 public:
  explicit naive_spike(const limits& limit) : limit_(limit) {}

  bool add(std::int64_t second, std::uint64_t events) {
    for (auto s = last_ + 1; s <= second; ++s) {
      low_for_ = 2 * sum(s - 10, s) <= peak_ ? low_for_ + 1 : 0;
      if (low_for_ >= 10)
        told_ = false;
    }
    last_ = second;
    counts_[second] += events;
    if (told_) {
      peak_ = std::max(peak_, sum(second - 10, second));
      return false;
    }
    if (!is_high(second))
      return false;
    told_ = true;
    low_for_ = 0;
    peak_ = sum(second - 10, second);
    return true;
  }

  std::uint64_t sum(std::int64_t after, std::int64_t until) const {
    std::uint64_t out = 0;
    for (auto i = counts_.upper_bound(after); i != counts_.end() && i->first <= until; ++i)
      out += i->second;
    return out;
  }

 private:
  bool is_high(std::int64_t now) const {
    const auto recent = sum(now - 10, now);
    const auto six_averages = sum(now - 70, now - 10);
    if (six_averages < 6 && recent < limit_.detection.anomaly_min_events)
      return false;
    return recent * 6 > 3 * six_averages;
  }

  limits limit_;
  std::map<std::int64_t, std::uint64_t> counts_;
  std::int64_t last_ = 0;
  std::int64_t low_for_ = 0;
  std::uint64_t peak_ = 0;
  bool told_ = false;
};

} // namespace

TEST_CASE("five errors after quiet are a spike, four are not") {
  error_spike spikes{limits{}};
  CHECK_FALSE(spikes.add(at(0s), 4, 0));
  const auto found = spikes.add(at(1s), 1, 0);
  REQUIRE(found);
  CHECK(found->recent == 5);
  CHECK(found->average == 0);
  CHECK(found->level == severity::warning);
}

TEST_CASE("a spike is told once until the rate has fallen") {
  error_spike spikes{limits{}};
  CHECK(spikes.add(at(0s), 20, 0));
  CHECK_FALSE(spikes.add(at(1s), 20, 0));
  CHECK_FALSE(spikes.add(at(5s), 100, 0));
  CHECK_FALSE(spikes.add(at(80s), 4, 0));
  CHECK(spikes.add(at(81s), 1, 0));
}

TEST_CASE("a second burst within the hour of the first needs three times its average") {
  error_spike spikes{limits{}};
  CHECK(spikes.add(at(0s), 60, 0)); // the average of the next minute is 10
  CHECK_FALSE(spikes.add(at(20s), 30, 0));
  CHECK(spikes.add(at(21s), 1, 0));
}

TEST_CASE("more than ten times the average is an error") {
  error_spike spikes{limits{}};
  for (int i = 0; i < 6; ++i)
    spikes.add(at(i * 10s), 2, 0);
  const auto found = spikes.add(at(60s), 21, 0);
  REQUIRE(found);
  CHECK(found->average == doctest::Approx(2));
  CHECK(found->level == severity::error);
}

TEST_CASE("a rate that lasts is told once, whatever it is") {
  for (const int tenths : {5, 10, 20, 100, 1000}) { // of an event a second
    error_spike spikes{limits{}};
    int told = 0;
    int due = 0;
    for (int s = 0; s < 60; ++s) {
      due += tenths;
      for (; due >= 10; due -= 10)
        told += spikes.add(at(s * 1s), 1, 1) ? 1 : 0;
    }
    CHECK(told == 1);
    for (int s = 60; s < 120; ++s) {
      spikes.pass(at(s * 1s));
      if (s < 68)
        CHECK(spikes.lasting());
    }
    CHECK_FALSE(spikes.lasting());
  }
}

TEST_CASE("what was told by alerts of its own is counted apart") {
  error_spike spikes{limits{}};
  spikes.add(at(0s), 4, 1);
  const auto found = spikes.add(at(1s), 3, 2);
  REQUIRE(found);
  CHECK(found->recent == 7);
  CHECK(found->untold == 3);
  spikes.add(at(10s), 1, 0);
  REQUIRE(spikes.lasting());
  CHECK(spikes.lasting()->untold == 2);
}

TEST_CASE("a steady rate is no spike after its first minute") {
  error_spike spikes{limits{}};
  int told = 0;
  for (int s = 0; s < 600; ++s)
    told += spikes.add(at(s * 1s), 3, 0) && s > 70 ? 1 : 0;
  CHECK(told == 0);
}

TEST_CASE("sums of the sender count in full") {
  error_spike spikes{limits{}};
  const auto found = spikes.add(at(0s), 5000, 0);
  REQUIRE(found);
  CHECK(found->recent == 5000);
  CHECK(found->level == severity::error);
}

TEST_CASE("windows from the limits") {
  limits limit;
  limit.detection.anomaly_window_ms = 0;
  limit.detection.anomaly_history_ms = 0;
  limit.detection.anomaly_min_events = 1;
  error_spike spikes{limit};
  CHECK(spikes.add(at(0s), 1, 0));
  CHECK(spikes.recent() == 1);
  spikes.add(at(1s), 0, 0);
  CHECK(spikes.recent() == 0);
}

TEST_CASE("agrees with the definition over random steps") {
  const bool holds = rc::check([] {
    const auto steps = *rc::gen::container<std::vector<std::pair<int, int>>>(
        rc::gen::pair(rc::gen::weightedOneOf<int>({{6, rc::gen::inRange(0, 5)},
                                                   {2, rc::gen::inRange(5, 30)},
                                                   {1, rc::gen::inRange(30, 200)}}),
                      rc::gen::inRange(0, 12)));
    error_spike spikes{limits{}};
    naive_spike reference{limits{}};
    std::int64_t second = 1;
    for (const auto& [pause, events] : steps) {
      second += pause;
      const auto n = static_cast<std::uint64_t>(events);
      const bool told = spikes.add(mono_time{} + std::chrono::seconds{second}, n, 0).has_value();
      RC_ASSERT(told == reference.add(second, n));
      RC_ASSERT(spikes.recent() == reference.sum(second - 10, second));
    }
  });
  CHECK(holds);
}
