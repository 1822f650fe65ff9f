#include "messages/base/byte_budget.hpp"

#include <doctest/doctest.h>

#include <optional>

using namespace gasoline;

TEST_CASE("owners hold no more of a budget than there is, and give it back when they end") {
  const auto budget = std::make_shared<byte_budget>(100);
  budget_share first{budget};
  std::optional<budget_share> second{budget};
  CHECK(first.hold(60));
  CHECK(second->hold(40));
  CHECK_FALSE(second->hold(41));
  CHECK(budget->used() == 100);
  CHECK(budget->refused() == 1);
  CHECK(first.hold(10));
  CHECK(second->hold(90));
  budget_share moved = std::move(*second);
  second.reset();
  CHECK(budget->used() == 100);
  CHECK(moved.hold(0));
  CHECK(budget->used() == 10);
  budget_share unbounded;
  CHECK(unbounded.hold(1'000));
}
