#include "actors/detection/direct_alert.hpp"
#include "config/limits.hpp"
#include "tests/unit/support/event_samples.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace gasoline;
using namespace gasoline::test;

namespace {

event logged(literal message, literal stack, entry_type type = entry_type::console) {
  event e;
  e.level = log_level::error;
  e.type = type;
  e.message = message;
  e.stack = stack;
  e.url = literal{"http://localhost:3000/cart"};
  return e;
}

std::vector<event> faults_of_all_kinds() {
  constexpr literal place{"at total (http://localhost:3000/src/cart.js:41:7)"};
  std::vector<event> out{
      logged("TypeError: cart.total is not a function", place, entry_type::exception),
      logged("TypeError: cart.total is not a function", place),
      logged("Uncaught (in promise) Error: no", ""),
      logged("[vite] Internal server error: Failed to resolve import \"./a.js\"", ""),
      logged("[GraphQL error]: Message: no such order", ""),
      logged("Refused to load the script", "", entry_type::security),
      request_event("GET", "/api/items/7", 500),
  };
  auto hint = logged("Script error.", "", entry_type::exception);
  hint.noise = noise_mark::hint;
  out.push_back(hint);
  auto build = logged("[vite] error in ./src/a.ts", place);
  build.build = build_state::failed;
  out.push_back(build);
  auto served = logged("relation \"orders\" does not exist", place, entry_type::exception);
  served.origin = event_origin::otlp;
  served.service = literal{"checkout"};
  out.push_back(served);
  event closed;
  closed.kind = telemetry_kind::socket;
  closed.name = literal{"close"};
  closed.status = 1006;
  closed.url = literal{"ws://localhost:3000/live"};
  out.push_back(closed);
  return out;
}

} // namespace

TEST_CASE("direct_heading: title and key are those of the whole alert") {
  const limits limit;
  for (const auto& e : faults_of_all_kinds()) {
    CAPTURE(e.message.str());
    const auto heading = direct_heading(e, limit);
    const auto whole = direct_alert(e, limit);
    REQUIRE(heading);
    REQUIRE(whole);
    CHECK(heading->title == whole->title);
    CHECK(heading->dedup_key == whole->dedup_key);
    CHECK_FALSE(heading->dedup_key.empty());
  }
}

TEST_CASE("direct_heading: what raises no alert has none") {
  const limits limit;
  CHECK_FALSE(direct_heading(logged("a line of text", ""), limit));
  CHECK_FALSE(direct_heading(request_event("GET", "/api/items/7", 200), limit));
}
