#include "tests/unit/support/decoded.hpp"

#include <doctest/doctest.h>

namespace gasoline {
using namespace test;

TEST_CASE("a request's timing is known by its url or by its name") {
  const auto body = decoded_as("network_waterfall", R"({"entries":[
    {"url":"http://localhost/app.js","status":404,"duration":8,"initiator_type":"script",
     "page_url":"http://localhost/"},
    {"name":"http://localhost/app.css","transfer_size":0},
    {"duration":1}]})");
  CHECK(body.rejected == 1);
  REQUIRE(body.events.size() == 2);
  const auto& e = body.events[0];
  CHECK(e.kind == telemetry_kind::request);
  CHECK(e.status == 404);
  CHECK(e.page == "http://localhost/");
  CHECK(e.fields == R"("initiator_type":"script")");
  CHECK(body.events[1].fields == R"("name":"http://localhost/app.css","transfer_size":0)");
}

} // namespace gasoline
