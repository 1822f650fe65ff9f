#include "actors/resolution/followed_faults.hpp"
#include "tests/unit/support/event_samples.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <memory>
#include <string>

using namespace gasoline;
using namespace gasoline::test;
using std::chrono::milliseconds;

namespace {

/// Tells a watch of events at times in milliseconds, in one document after the other.
class told_watch {
 public:
  void click(std::int64_t ms) {
    event e;
    e.kind = telemetry_kind::action;
    e.name = literal{"click"};
    e.fields = literal{R"("page_id":"p1","selectors":{"text":"Pay"})"};
    tell(std::move(e), ms);
  }

  void fault(std::int64_t ms) {
    auto e = exception_event("Uncaught TypeError: cart.total is not a function",
                             "at checkout (http://localhost:3000/src/cart.js:41:7)");
    e.fields = literal{R"("page_id":"p1")"};
    tell(std::move(e), ms);
  }

  void request(std::int32_t status, std::int64_t ms) {
    tell(request_event("GET", "/api/items/7", status), ms);
  }

  /// The trials that are over by then.
  std::vector<clean_trial> due(std::int64_t ms) { return faults.due(at(ms)); }

  /// Clicks without the fault, and what comes of it when something had changed.
  bool clean_click(std::int64_t ms, bool changed) {
    click(ms);
    const auto over = due(ms + 5'000);
    REQUIRE(over.size() == 1);
    return faults.settle(over.front(), changed);
  }

  followed_faults faults;

 private:
  static mono_time at(std::int64_t ms) {
    return mono_time{} + std::chrono::hours{1} + milliseconds{ms};
  }

  void tell(event e, std::int64_t ms) {
    if (e.kind != telemetry_kind::body)
      e.url = literal{"http://localhost:3000/cart"};
    e.at = wall_time{milliseconds{1'769'610'600'000 + ms}};
    e.sequence = ++sequence_;
    faults.take(std::make_shared<const event>(std::move(e)), true, at(ms));
  }

  std::uint64_t sequence_ = 0;
};

} // namespace

TEST_CASE("followed_faults: over once its click is done again, a change came between, and it stays "
          "away") {
  told_watch w;
  w.click(0);
  w.fault(50);
  w.click(10'000);
  CHECK(w.due(10'500).empty()); // it may still come
  const auto over = w.due(13'000);
  REQUIRE(over.size() == 1);
  CHECK(over.front().proof == "click on Pay was done again");
  CHECK(w.faults.settle(over.front(), true));
  CHECK_FALSE(w.faults.settle(over.front(), true));
  w.click(20'000);
  CHECK(w.due(30'000).empty());
}

TEST_CASE("followed_faults: seen again meanwhile, it is not over") {
  told_watch w;
  w.click(0);
  w.fault(50);
  w.click(10'000);
  w.fault(10'050);
  CHECK(w.due(20'000).empty());
  w.click(30'000);
  const auto over = w.due(40'000);
  REQUIRE(over.size() == 1);
  w.fault(40'500); // while it is found out what has changed
  CHECK_FALSE(w.faults.settle(over.front(), true));
}

TEST_CASE("followed_faults: what stays away now and then has to stay away more often") {
  told_watch w;
  w.click(0);
  w.fault(50);
  CHECK_FALSE(w.clean_click(10'000, false)); // nothing changed: it comes only sometimes
  w.click(20'000);
  w.fault(20'050);
  CHECK_FALSE(w.clean_click(30'000, true));
  CHECK_FALSE(w.clean_click(40'000, true));
  CHECK(w.clean_click(50'000, true)); // one time in three, three times: rarer than one in twenty
}

TEST_CASE(
    "followed_faults: a request is over when it is answered, and its success needs no patience") {
  told_watch w;
  w.request(500, 0);
  w.request(200, 5'000);
  const auto over = w.due(5'000);
  REQUIRE(over.size() == 1);
  CHECK(over.front().proof == "GET /api/items/:id succeeded since");
}

TEST_CASE("followed_faults: who is refused says nothing of the next who asks") {
  told_watch w;
  w.request(401, 0);
  w.request(200, 5'000);
  CHECK(w.due(10'000).empty());
}
