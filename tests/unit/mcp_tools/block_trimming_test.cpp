#include "actors/mcp_tools/tool/block_trimming.hpp"

#include <doctest/doctest.h>

using namespace gasoline;

namespace {

TEST_CASE("an alert that the answer tells keeps what names it") {
  const std::string block =
      "--- ALERTS (2) ---\n"
      R"([{"severity":"error","title":"Uncaught TypeError: \"x\"","id":"alert_1","count":1,"page_data":true,)"
      R"("kind":"errors","correlation_id":"evt_1","url":"http://h/","next":"observe","detail":"at f"},)"
      R"({"severity":"error","title":"Server error: GET /api/a -> 500","id":"alert_2","page_data":true,)"
      R"("kind":"network_errors","url":"http://h/api/a","detail":"why"}])";
  CHECK(
      without_repeats(block, R"({"items":[{"message":"TypeError: \"x\""}]})") ==
      "--- ALERTS (2) ---\n"
      R"([{"severity":"error","title":"Uncaught TypeError: \"x\"","id":"alert_1","count":1,"page_data":true},)"
      R"({"severity":"error","title":"Server error: GET /api/a -> 500","id":"alert_2","page_data":true,)"
      R"("kind":"network_errors","url":"http://h/api/a","detail":"why"}])");
  CHECK(without_repeats(block, R"({"items":[]})") == block);
  CHECK(without_repeats("--- ALERTS (1) ---\n[{", "x") == "--- ALERTS (1) ---\n[{");
}

} // namespace
