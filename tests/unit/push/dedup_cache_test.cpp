#include "actors/push/dedup_cache.hpp"
#include "tests/unit/support/alert_samples.hpp"

#include <doctest/doctest.h>

#include <string>
#include <utility>

using namespace gasoline;
using namespace gasoline::test;
using namespace std::chrono_literals;

TEST_CASE("a key is seen for one window and not longer") {
  dedup_cache c{500, 30s};
  CHECK_FALSE(c.seen("a", at(0s)));
  c.remember("a", at(0s));
  CHECK(c.seen("a", at(29'999ms)));
  CHECK_FALSE(c.seen("a", at(30s)));
  CHECK_FALSE(c.seen("b", at(1s)));
}

TEST_CASE("remembering a key again starts its window anew") {
  dedup_cache c{500, 30s};
  c.remember("a", at(0s));
  c.remember("a", at(31s));
  CHECK(c.size() == 1);
  CHECK(c.seen("a", at(60s)));
}

TEST_CASE("600 keys leave the newest 500") {
  dedup_cache c{500, 30s};
  for (int i = 0; i < 600; ++i)
    c.remember("key" + std::to_string(i), at(std::chrono::milliseconds{i}));
  CHECK(c.size() == 500);
  CHECK_FALSE(c.seen("key99", at(1s)));
  CHECK(c.seen("key100", at(1s)));
  CHECK(c.seen("key599", at(1s)));
}

TEST_CASE("keys older than twice the window are pruned before the cache is full") {
  dedup_cache c{500, 30s};
  c.remember("old", at(0s));
  c.remember("edge", at(1s));
  c.remember("new", at(61s));
  CHECK(c.size() == 2);
  c.remember("newer", at(61s) + 1ns);
  CHECK(c.size() == 2);
}

TEST_CASE("a refreshed key is not the oldest any more") {
  dedup_cache c{2, 30s};
  c.remember("a", at(0s));
  c.remember("b", at(1s));
  c.remember("a", at(2s));
  c.remember("c", at(3s));
  CHECK(c.seen("a", at(3s)));
  CHECK_FALSE(c.seen("b", at(3s)));
}

TEST_CASE("clearing forgets everything, and a moved cache keeps its keys") {
  dedup_cache c{500, 30s};
  c.remember("a", at(0s));
  dedup_cache moved = std::move(c);
  moved.remember("b", at(1s));
  CHECK(moved.seen("a", at(1s)));
  moved.clear();
  CHECK(moved.size() == 0);
  CHECK_FALSE(moved.seen("a", at(1s)));
}
