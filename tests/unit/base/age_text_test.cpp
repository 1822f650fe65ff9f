#include "actors/base/age_text.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <string>

namespace gasoline {

TEST_CASE("age text: the unit follows the age, and what is still to come is now") {
  using namespace std::chrono_literals;
  CHECK(age_text(350ms) == "350 ms");
  CHECK(age_text(12s) == "12 s");
  CHECK(age_text(5min) == "5 min");
  CHECK(age_text(3h) == "3 h");
  CHECK(age_text(-5min) == "0 ms");
}

} // namespace gasoline
