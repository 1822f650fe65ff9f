#include "actors/mcp_tools/analyze/analysis/endpoint_table.hpp"
#include "actors/mcp_tools/analyze/modes/speed_diff.hpp"
#include "tests/unit/support/event_samples.hpp"

#include <doctest/doctest.h>

#include <memory>

using namespace gasoline;
using namespace gasoline::test;
using std::chrono::milliseconds;

namespace {

event_group timed_request(literal url, double duration_ms, std::int64_t at_ms,
                          telemetry_kind kind = telemetry_kind::body) {
  auto e = request_event("GET", url, 200);
  e.kind = kind;
  e.duration_ms = duration_ms;
  e.at = wall_time{milliseconds{1'769'610'600'000 + at_ms}};
  return {std::make_shared<const event>(e), e.at, 1};
}

std::vector<event_group> requests_of(std::initializer_list<double> durations) {
  std::vector<event_group> out;
  for (const double ms : durations)
    out.push_back(timed_request("/api/items", ms, 2'000 * static_cast<std::int64_t>(out.size())));
  return out;
}

} // namespace

TEST_CASE("speed_diff: an endpoint is slower by half and 50 ms, out of three requests a side") {
  const auto quick = requests_of({10, 12, 11});
  CHECK(changed_endpoints(quick, requests_of({80, 90, 100})).size() == 1);
  CHECK(changed_endpoints(quick, requests_of({80, 90, 100})).front().is_worse());
  CHECK(changed_endpoints(requests_of({80, 90, 100}), quick).front().is_worse() == false);
  CHECK(changed_endpoints(quick, requests_of({80, 90})).empty());
  CHECK(changed_endpoints(quick, requests_of({40, 41, 42})).empty());
  CHECK(changed_endpoints(requests_of({200, 201, 202}), requests_of({260, 261, 262})).empty());
}

TEST_CASE("endpoint_table: N+1 and repeats count within a second, timings only without captures") {
  std::vector<event_group> events;
  for (int i = 0; i < 4; ++i)
    events.push_back(timed_request("/api/items/7", 5, 100 * i));
  events.push_back(timed_request("/api/items/8", 5, 450));
  events.push_back(timed_request("/api/items/9", 5, 9'000));
  events.push_back(timed_request("/api/items/7", 700, 0, telemetry_kind::request));
  events.push_back(timed_request("/logo.png", 3, 0, telemetry_kind::request));
  const auto table = endpoints_in(events);
  REQUIRE(table.size() == 2);
  const auto& items = table.at("GET /api/items/:id");
  CHECK(items.count == 6);
  CHECK(items.repeat == 4);
  CHECK(items.burst == 2);
  CHECK(duration_at(items, 0.95) == 5);
  CHECK(failures_of(items) == 0);
  CHECK(table.at("GET /logo.png").count == 1);
}
