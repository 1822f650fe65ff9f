#include "tests/unit/support/decoded.hpp"

#include <doctest/doctest.h>

namespace gasoline {
using namespace test;

TEST_CASE("a WebSocket event needs its name and takes its close code as status") {
  const auto body = decoded_as("websocket_events", R"({"events":[
    {"event":"close","url":"ws://localhost/feed","code":1006,"page":"http://localhost/"},
    {"event":"message","url":"ws://localhost/feed","data":"tick","size":4},
    {"url":"ws://localhost/feed"}]})");
  CHECK(body.rejected == 1);
  CHECK(body.errors[0].message == "a WebSocket event needs `event`: open, message, close or error");
  REQUIRE(body.events.size() == 2);
  CHECK(body.events[0].kind == telemetry_kind::socket);
  CHECK(body.events[0].name == "close");
  CHECK(body.events[0].status == 1006);
  CHECK(body.events[1].message == "tick");
  CHECK(body.events[1].fields == R"("size":4)");
}

} // namespace gasoline
