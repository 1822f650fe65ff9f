#include "actors/mcp_tools/analyze/faults/fault_diff.hpp"
#include "tests/unit/support/event_samples.hpp"
#include "tests/unit/support/sample_events.hpp"

#include <doctest/doctest.h>

#include <memory>

using namespace gasoline;
using namespace gasoline::test;
using std::chrono::milliseconds;

namespace {

constexpr wall_time day{milliseconds{1'769'610'600'000}};

wall_time after_start(std::int64_t ms) {
  return day + milliseconds{ms};
}

/// Builds a stretch of time, event by event.
class stretch : public sample_events {
 public:
  stretch& add(event e, std::int64_t ms) {
    e.at = after_start(ms);
    e.sequence = static_cast<std::uint64_t>(ms) + 1;
    keep(std::move(e));
    return *this;
  }
};

event on_cart(event e, literal fields) {
  e.url = literal{"http://localhost:3000/cart?step=2"};
  e.fields = fields;
  return e;
}

event cart_error(literal fields) {
  return on_cart(exception_event("Uncaught TypeError: cart.total is not a function",
                                 "at checkout (http://localhost:3000/src/cart.js:41:7)"),
                 fields);
}

event cart_click(literal fields) {
  event e;
  e.kind = telemetry_kind::action;
  e.name = literal{"click"};
  return on_cart(std::move(e), fields);
}

event cart_load(literal fields) {
  event e;
  e.kind = telemetry_kind::load;
  return on_cart(std::move(e), fields);
}

judged_fault only_fault(const stretch& before, const stretch& after, std::int64_t now_ms) {
  const auto out = diff_faults(before.events(), after.events(), after_start(now_ms), limits{});
  REQUIRE(out.size() == 1);
  return out.front();
}

constexpr literal first_document{R"("page_id":"p1")"};
constexpr literal second_document{R"("page_id":"p2")"};
constexpr literal pay_in_first{R"("page_id":"p1","selectors":{"css":"button","text":"Pay"})"};
constexpr literal pay_in_second{R"("page_id":"p2","selectors":{"css":"button","text":"Pay"})"};
constexpr literal other_in_second{R"("page_id":"p2","selectors":{"css":"a","text":"Help"})"};

} // namespace

TEST_CASE("fault_diff: a fault seen on both sides is still there, whatever its numbers") {
  const auto out = only_fault(stretch{}.add(cart_error(first_document), 0),
                              stretch{}.add(cart_error(second_document), 10'000), 11'000);
  CHECK(out.fate == fault_fate::still);
  CHECK(out.seen.count == 1);
}

TEST_CASE("fault_diff: what nobody has seen before is new") {
  const auto out = only_fault(stretch{}, stretch{}.add(cart_error(second_document), 10), 20);
  CHECK(out.fate == fault_fate::fresh);
}

TEST_CASE("fault_diff: after a click, only the same click on the same page proves anything") {
  stretch before;
  before.add(cart_click(pay_in_first), 0).add(cart_error(first_document), 200);
  CHECK(only_fault(before, stretch{}.add(cart_load(second_document), 5'000), 60'000).fate ==
        fault_fate::unproved);
  CHECK(only_fault(before, stretch{}.add(cart_click(other_in_second), 5'000), 60'000).fate ==
        fault_fate::unproved);
  const auto done = only_fault(before, stretch{}.add(cart_click(pay_in_second), 5'000), 60'000);
  CHECK(done.fate == fault_fate::fixed);
  CHECK(done.proof == "click on Pay was done again");
}

TEST_CASE("fault_diff: a fault that comes by itself needs its page, loaded as long as it took") {
  stretch before;
  before.add(cart_load(first_document), 0).add(cart_error(first_document), 3'000);
  CHECK(only_fault(before, stretch{}, 60'000).proof == "its page was not loaded since");
  // The document of before goes on: nothing was loaded.
  CHECK(only_fault(before, stretch{}.add(cart_load(first_document), 9'000), 60'000).fate ==
        fault_fate::unproved);
  const stretch again = stretch{}.add(cart_load(second_document), 10'000);
  CHECK(only_fault(before, again, 12'000).fate == fault_fate::unproved);
  CHECK(only_fault(before, again, 14'500).fate == fault_fate::fixed);
}

TEST_CASE("fault_diff: what a page fetched before it stumbled has to be fetched again") {
  const auto fetch = [](literal url) {
    event e;
    e.kind = telemetry_kind::request;
    e.url = url;
    e.page = literal{"http://localhost:3000/cart"};
    e.fields = literal{R"("initiator_type":"fetch")"};
    return e;
  };
  constexpr literal of_cart{"http://localhost:3000/api/cart"};
  stretch before;
  before.add(cart_load(first_document), 0)
      .add(fetch(of_cart), 190)
      .add(cart_error(first_document), 200);
  const auto after = [&](const event& what) {
    return only_fault(before, stretch{}.add(cart_load(second_document), 5'000).add(what, 5'100),
                      60'000);
  };
  CHECK(after(fetch("http://localhost:3000/api/user")).proof ==
        "GET /api/cart, which came before it, was not asked again");
  CHECK(after(fetch(of_cart)).fate == fault_fate::fixed);
}

TEST_CASE("fault_diff: an error that a command wrote is fixed by the request that it failed") {
  auto error = exception_event("TypeError: order is undefined", "at /srv/shop/server.cjs:3:90");
  error.origin = event_origin::process;
  error.url = literal{"run://node-server.cjs"};
  CHECK(
      only_fault(stretch{}.add(error, 0), stretch{}.add(cart_load(second_document), 9'000), 60'000)
          .proof == "it belongs to no page, so nothing shows that it was tried");
  const stretch before = stretch{}.add(error, 0).add(request_event("GET", "/api/order/7", 0), 5);
  const auto out = diff_faults(
      before.events(), stretch{}.add(request_event("GET", "/api/order/7", 200), 9'000).events(),
      after_start(60'000), limits{});
  REQUIRE(out.size() == 2);
  CHECK(out[0].fate == fault_fate::fixed);
  CHECK(out[1].fate == fault_fate::fixed);
}

TEST_CASE("fault_diff: a failed request is fixed by the same one that succeeds") {
  const stretch before = stretch{}.add(request_event("GET", "/api/items/7", 500), 0);
  CHECK(only_fault(before, stretch{}, 9'000).proof ==
        "GET /api/items/:id was not asked again as it was");
  CHECK(only_fault(before, stretch{}.add(request_event("POST", "/api/items/7", 200), 5), 9).fate ==
        fault_fate::unproved);
  // Another item says nothing of this one.
  CHECK(only_fault(before, stretch{}.add(request_event("GET", "/api/items/9", 200), 5), 9).fate ==
        fault_fate::unproved);
  CHECK(only_fault(before, stretch{}.add(request_event("GET", "/api/items/7?t=12", 200), 5), 9)
            .fate == fault_fate::fixed);
}

TEST_CASE("fault_diff: what failed for several items is fixed by any") {
  const stretch before = stretch{}
                             .add(request_event("GET", "/api/items/7", 500), 0)
                             .add(request_event("GET", "/api/items/8", 500), 3);
  CHECK(only_fault(before, stretch{}.add(request_event("GET", "/api/items/9", 200), 5), 9).fate ==
        fault_fate::fixed);
}

TEST_CASE("fault_diff: a click proves nothing before the fault would have come") {
  stretch before;
  before.add(cart_click(pay_in_first), 0).add(cart_error(first_document), 2'000);
  const stretch after = stretch{}.add(cart_click(pay_in_second), 5'000);
  CHECK(only_fault(before, after, 6'000).fate == fault_fate::unproved);
  CHECK(only_fault(before, after, 8'100).fate == fault_fate::fixed);
}

TEST_CASE("fault_diff: a new fault in its place is no proof") {
  stretch before;
  before.add(cart_click(pay_in_first), 0).add(cart_error(first_document), 20);
  stretch after;
  after.add(cart_click(pay_in_second), 5'000);
  after.add(on_cart(exception_event("Uncaught TypeError: cart.sum is not a function",
                                    "at total (http://localhost:3000/src/sum.js:4:1)"),
                    second_document),
            5'020);
  const auto out = diff_faults(before.events(), after.events(), after_start(60'000), limits{});
  REQUIRE(out.size() == 2);
  CHECK(out[0].fate == fault_fate::fresh);
  CHECK(out[1].fate == fault_fate::unproved);
}

TEST_CASE("fault_diff: an error of no page is never called fixed") {
  const stretch before =
      stretch{}.add(exception_event("Error: disk full", "at save (/srv/app.js:3:1)"), 0);
  CHECK(only_fault(before, stretch{}.add(cart_load(second_document), 5'000), 60'000).fate ==
        fault_fate::unproved);
}
