#include "messages/telemetry/absence_of_telemetry.hpp"

#include <doctest/doctest.h>

namespace gasoline {
namespace {

using nlohmann::json;

json health_with(json arrivals) {
  return {{"port", 7890}, {"http", {{"arrivals", std::move(arrivals)}}}};
}

json refusal(std::string origin, std::string path) {
  return {{"origin", std::move(origin)},
          {"path", std::move(path)},
          {"status", 403},
          {"reason", "Add it to allowed_origins."},
          {"count", 3},
          {"ms_ago", 1200}};
}

bool holds(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("absence of telemetry: nobody has asked for the script") {
  for (const auto& health : {json::object(), health_with(json::object()),
                             health_with({{"script_loads", 0}, {"refused", json::array()}})})
    CHECK(holds(absence_of_telemetry(health), "Add the page script"));
}

TEST_CASE("absence of telemetry: a refused page is named with what to do") {
  const auto said = absence_of_telemetry(health_with(
      {{"script_loads", 1},
       {"script_loaded_ms_ago", 60'000},
       {"refused", {refusal("http://a.test", "/mcp"), refusal("http://myapp.test", "/logs")}}}));
  CHECK(holds(said, "refused 3 times, the last time 2 s ago. Add it to allowed_origins."));
  CHECK_FALSE(holds(said, "Add the page script"));
}

TEST_CASE("absence of telemetry: a loaded script that is silent") {
  const auto said = absence_of_telemetry(health_with(
      {{"script_loads", 1}, {"script_loaded_ms_ago", 12'000}, {"refused", json::array()}}));
  CHECK(holds(said, "12 s ago"));
  CHECK(holds(said, "connect-src http://localhost:7890"));
  CHECK(holds(said, "refuses the page's origin"));
}

TEST_CASE("absence of telemetry: a script that was loaded a moment ago has time") {
  const auto said = absence_of_telemetry(health_with(
      {{"script_loads", 1}, {"script_loaded_ms_ago", 800}, {"refused", json::array()}}));
  CHECK(holds(said, "loaded just now"));
  CHECK_FALSE(holds(said, "connect-src"));
}

TEST_CASE("refused callers: a line each") {
  auto program = refusal("", "/sessions");
  program.erase("origin");
  const auto lines = refused_callers(
      health_with({{"refused", {refusal("http://a.test", "/logs"), std::move(program)}}}));
  REQUIRE(lines.size() == 2);
  CHECK(lines[0] == "http://a.test at /logs: 403, 3 times. Add it to allowed_origins.");
  CHECK(lines[1] == "a program at /sessions: 403, 3 times. Add it to allowed_origins.");
}

} // namespace gasoline
