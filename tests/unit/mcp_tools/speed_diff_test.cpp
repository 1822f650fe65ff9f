#include "actors/mcp_tools/analyze/analysis/endpoint_table.hpp"
#include "actors/mcp_tools/analyze/modes/speed_diff.hpp"
#include "tests/unit/support/event_samples.hpp"
#include "tests/unit/support/sample_events.hpp"

#include <doctest/doctest.h>

#include <memory>

using namespace gasoline;
using namespace gasoline::test;
using std::chrono::milliseconds;

namespace {

/// Requests, with who keeps them.
class requests : public sample_events {
 public:
  requests& add(literal url, double duration_ms, std::int64_t at_ms,
                telemetry_kind kind = telemetry_kind::body, literal method = "GET") {
    auto e = request_event(method, url, 200);
    e.kind = kind;
    e.duration_ms = duration_ms;
    e.at = wall_time{milliseconds{1'769'610'600'000 + at_ms}};
    keep(std::move(e));
    return *this;
  }
};

/// Reports of page loads, with who keeps them.
class loads : public sample_events {
 public:
  loads& add(literal url, literal id, double lcp) {
    event e;
    e.kind = telemetry_kind::load;
    e.url = url;
    e.name = id;
    page_metrics measured;
    measured[page_metric::lcp] = lcp;
    e.metrics = std::make_shared<const page_metrics>(measured);
    keep(std::move(e));
    return *this;
  }
};

requests requests_of(std::initializer_list<double> durations) {
  requests out;
  for (const double ms : durations)
    out.add("/api/items", ms, 2'000 * static_cast<std::int64_t>(out.events().size()));
  return out;
}

std::vector<speed_change> changes(std::initializer_list<double> before,
                                  std::initializer_list<double> since) {
  return changed_endpoints(requests_of(before).events(), requests_of(since).events());
}

} // namespace

TEST_CASE("speed_diff: an endpoint is slower by half and 50 ms, out of three requests a side") {
  CHECK(changes({10, 12, 11}, {80, 90, 100}).size() == 1);
  CHECK(changes({10, 12, 11}, {80, 90, 100}).front().is_worse());
  CHECK(changes({80, 90, 100}, {10, 12, 11}).front().is_worse() == false);
  CHECK(changes({10, 12, 11}, {80, 90}).empty());
  CHECK(changes({10, 12, 11}, {40, 41, 42}).empty());
  CHECK(changes({200, 201, 202}, {260, 261, 262}).empty());
}

TEST_CASE("endpoint_table: N+1 and repeats count within a second, timings only without captures") {
  requests asked;
  for (int i = 0; i < 4; ++i)
    asked.add("/api/items/7", 5, 100 * i);
  asked.add("/api/items/8", 5, 450);
  asked.add("/api/items/9", 5, 9'000);
  asked.add("/api/items/7", 700, 0, telemetry_kind::request);
  asked.add("/logo.png", 3, 0, telemetry_kind::request);
  request_wording wording;
  const auto table = endpoints_in(asked.events(), wording);
  REQUIRE(table.size() == 2);
  const auto& items = table.front();
  CHECK(items.words == "GET /api/items/:id");
  CHECK(items.count == 6);
  CHECK(items.repeat == 4);
  CHECK(items.burst == 2);
  CHECK(duration_at(items, 0.95) == 5);
  CHECK(failures_of(items) == 0);
  CHECK(table.back().words == "GET /logo.png");
  CHECK(table.back().count == 1);
}

TEST_CASE("endpoint_table: a method that is written in two ways is one endpoint, and one address") {
  requests asked;
  asked.add("/api/items/7", 5, 0).add("/api/items/7", 7, 100, telemetry_kind::body, "get");
  asked.add("/api/items/7", 9, 200, telemetry_kind::body, "POST");
  request_wording wording;
  const auto table = endpoints_in(asked.events(), wording);
  REQUIRE(table.size() == 2);
  CHECK(table.front().words == "GET /api/items/:id");
  CHECK(table.front().durations == std::vector<double>{5, 7});
  CHECK(table.front().repeat == 2);
  CHECK(table.front().burst == 1);
  CHECK(table.back().words == "POST /api/items/:id");
  CHECK(durations_in(asked.events(), wording).front() == std::vector<double>{5, 7});
}

TEST_CASE("speed_diff: durations of timings count only where no request was captured") {
  requests asked;
  asked.add("/api/items/7", 900, 0, telemetry_kind::request).add("/api/items/8", 5, 1);
  asked.add("/logo.png", 3, 2, telemetry_kind::request);
  request_wording wording;
  const auto durations = durations_in(asked.events(), wording);
  REQUIRE(durations.size() == 2);
  CHECK(durations.front() == std::vector<double>{5});
  CHECK(durations.back() == std::vector<double>{3});
}

TEST_CASE("speed_diff: a later report of a load replaces what an earlier one told") {
  loads before;
  before.add("/cart", "a", 1'000).add("/cart?step=2", "b", 1'000);
  loads since;
  since.add("/cart", "c", 1'000).add("/cart#end", "c", 3'000).add("/other", "c", 9'000);
  const auto changes = changed_vitals(before.events(), since.events());
  REQUIRE(changes.size() == 1);
  CHECK(changes.front().what == "lcp of /cart");
  CHECK(changes.front().since == 3'000);
  CHECK(changes.front().samples_before == 2);
  CHECK(changes.front().samples_since == 1);
}
