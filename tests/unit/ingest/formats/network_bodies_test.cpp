#include "tests/unit/support/decoded.hpp"

#include <doctest/doctest.h>

namespace gasoline {
using namespace test;

TEST_CASE("a request that a build failure explains is an echo") {
  const auto body = decoded_as("network_bodies", R"({"bodies":[
    {"url":"http://localhost/src/main.js","status":200,"error":"<script> failed to load","echo":true},
    {"url":"http://localhost/src/main.js","status":200,"error":"<script> failed to load"}]})");
  REQUIRE(body.events.size() == 2);
  CHECK(body.events[0].echo);
  CHECK_FALSE(body.events[1].echo);
}

TEST_CASE("a request with bodies keeps what was sent and answered") {
  const auto body = decoded_as("network_bodies", R"({"page_url":"http://localhost/cart","bodies":[
    {"url":"http://localhost/api/cart","method":"POST","status":500,"duration":12.5,
     "request_body":"{\"id\":1}","response_body":"down","error":"","_aggregatedCount":3},
    {"method":"GET"},
    {"url":"http://localhost/x","status":70000},
    {"url":"http://localhost/y","status":null,"page":"http://localhost/other"}]})");
  CHECK(body.received == 4);
  CHECK(body.rejected == 2);
  CHECK(body.errors[0].message == "a network entry needs a `url`");
  CHECK(body.errors[1].message == "status must be a number from 0 to 65535");
  REQUIRE(body.events.size() == 2);
  const auto& e = body.events[0];
  CHECK(e.kind == telemetry_kind::body);
  CHECK(e.name == "POST");
  CHECK(e.status == 500);
  CHECK(e.duration_ms == 12.5);
  CHECK(e.count == 3);
  CHECK(e.page == "http://localhost/cart");
  CHECK(e.fields == R"("request_body":"{\"id\":1}","response_body":"down")");
  CHECK(is_failed_request(e));
  CHECK(body.events[1].page == "http://localhost/other");
  CHECK(body.events[1].status == -1);
}

} // namespace gasoline
