#include "tests/unit/support/decoded.hpp"
#include "tests/unit/support/protobuf_bytes.hpp"

#include <doctest/doctest.h>

namespace gasoline {
using namespace test;

TEST_CASE("OTLP metrics are counted by their points and not kept") {
  const auto points = bytes_field(1, fixed64_field(4, 0)) + bytes_field(1, "");
  const auto metric = bytes_field(2, bytes_field(1, "requests") + bytes_field(7, points));
  const auto body = decoded_as("otlp_metrics", otlp_request("s", metric));
  CHECK(body.received == 2);
  CHECK(body.counted_only == 2);
  CHECK(body.events.empty());
  const auto json = decoded_as("otlp_metrics", R"({"resourceMetrics":[{"scopeMetrics":[{"metrics":[
    {"name":"m","gauge":{"dataPoints":[{"asInt":"1"},{},{}]}}]}]}]})");
  CHECK(json.received == 3);
}

} // namespace gasoline
