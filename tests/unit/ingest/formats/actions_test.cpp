#include "tests/unit/support/decoded.hpp"

#include <doctest/doctest.h>

namespace gasoline {
using namespace test;

TEST_CASE("an action needs its type and keeps all that it does not know") {
  const auto body = decoded_as("actions", R"({"actions":[
    {"type":"click","timestamp":1769610600000,"url":"http://localhost/","duration_ms":4,
     "selectors":{"css":"#buy"}},
    {"selectors":{}}]})");
  CHECK(body.rejected == 1);
  CHECK(body.errors[0].message == "an action needs a `type`, such as click");
  REQUIRE(body.events.size() == 1);
  const auto& e = body.events[0];
  CHECK(e.kind == telemetry_kind::action);
  CHECK(e.name == "click");
  CHECK(e.at_given);
  CHECK(to_iso8601(e.at) == "2026-01-28T14:30:00.000Z");
  CHECK(e.duration_ms == 4);
  CHECK(e.fields == R"("selectors":{"css":"#buy"})");
}

} // namespace gasoline
