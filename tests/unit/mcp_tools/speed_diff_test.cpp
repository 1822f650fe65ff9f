#include "actors/mcp_tools/analyze/analysis/endpoint_table.hpp"
#include "actors/mcp_tools/analyze/modes/speed_diff.hpp"
#include "tests/unit/support/event_samples.hpp"

#include <doctest/doctest.h>

#include <memory>

using namespace gasoline;
using namespace gasoline::test;
using std::chrono::milliseconds;

namespace {

/// Requests, with who keeps them.
class requests {
 public:
  requests& add(literal url, double duration_ms, std::int64_t at_ms,
                telemetry_kind kind = telemetry_kind::body) {
    auto e = request_event("GET", url, 200);
    e.kind = kind;
    e.duration_ms = duration_ms;
    e.at = wall_time{milliseconds{1'769'610'600'000 + at_ms}};
    kept_.push_back(std::make_shared<const event>(std::move(e)));
    told_.push_back(kept_.back().get());
    return *this;
  }

  event_span events() const { return told_; }

 private:
  std::vector<event_ptr> kept_;
  event_refs told_;
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
  const auto table = endpoints_in(asked.events());
  REQUIRE(table.size() == 2);
  const auto& items = table.at("GET /api/items/:id");
  CHECK(items.count == 6);
  CHECK(items.repeat == 4);
  CHECK(items.burst == 2);
  CHECK(duration_at(items, 0.95) == 5);
  CHECK(failures_of(items) == 0);
  CHECK(table.at("GET /logo.png").count == 1);
}
