#include "tests/unit/support/decoded.hpp"

#include <doctest/doctest.h>

namespace gasoline {
using namespace test;

TEST_CASE("performance snapshots carry only usable metrics") {
  const auto body = decoded_as("performance", R"({"snapshots":[
    {"url":"http://localhost/a","timing":{"load":1200,"first_contentful_paint":0,
     "largest_contentful_paint":-1,"time_to_first_byte":null},"cumulative_layout_shift":0},
    {"url":"http://localhost/a","timing":{"interaction_to_next_paint":9000},
     "navigation_type":"back-forward-cache"}]})");
  REQUIRE(body.events.size() == 2);
  const auto& metrics = *body.events[0].metrics;
  CHECK(metrics[page_metric::load] == 1200);
  CHECK(metrics[page_metric::cls] == 0);
  CHECK_FALSE(metrics[page_metric::fcp]);
  CHECK_FALSE(metrics[page_metric::lcp]);
  CHECK_FALSE(metrics[page_metric::ttfb]);
  CHECK_FALSE(body.events[1].metrics);
}

} // namespace gasoline
