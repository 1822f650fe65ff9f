#include "transport/http/traffic/arrival_log.hpp"

#include <doctest/doctest.h>

#include <string>

namespace gasoline {
namespace {

using namespace std::chrono_literals;

const arrival_log::time_point start{};

constexpr std::string_view told = R"({"error":"The origin is refused."})";

} // namespace

TEST_CASE("arrival_log: says nothing of a script that nobody has loaded") {
  const arrival_log log;
  const auto report = log.report(start);
  CHECK(report["script_loads"] == 0);
  CHECK_FALSE(report.contains("script_loaded_ms_ago"));
  CHECK(report["refused"].empty());
}

TEST_CASE("arrival_log: counts loads of the script and knows the last") {
  arrival_log log;
  log.note_script_load(start);
  log.note_script_load(start + 2s);
  const auto report = log.report(start + 5s);
  CHECK(report["script_loads"] == 2);
  CHECK(report["script_loaded_ms_ago"] == 3000);
}

TEST_CASE("arrival_log: counts refusals of one origin together, the newest first") {
  arrival_log log;
  log.note_refusal("http://a.test", "/logs", 403, told, start);
  log.note_refusal("http://b.test", "/logs", 403, told, start + 1s);
  log.note_refusal("http://a.test", "/network-bodies", 403, told, start + 2s);
  const auto refused = log.report(start + 3s)["refused"];
  REQUIRE(refused.size() == 2);
  CHECK(refused[0] == nlohmann::json{{"origin", "http://a.test"},
                                     {"path", "/network-bodies"},
                                     {"status", 403},
                                     {"reason", "The origin is refused."},
                                     {"count", 2},
                                     {"ms_ago", 1000}});
  CHECK(refused[1]["origin"] == "http://b.test");
}

TEST_CASE("arrival_log: a caller without an origin is a program") {
  arrival_log log;
  log.note_refusal("", "/sessions", 401, told, start);
  CHECK_FALSE(log.report(start)["refused"][0].contains("origin"));
}

TEST_CASE("arrival_log: stays small whatever comes") {
  arrival_log log;
  for (int i = 0; i < 1000; ++i)
    log.note_refusal("http://" + std::string(5000, 'x') + std::to_string(i),
                     "/" + std::string(5000, 'p'), static_cast<std::uint16_t>(i),
                     std::string(100'000, '"'), start);
  const auto refused = log.report(start)["refused"];
  CHECK(refused.size() == 5);
  CHECK(refused[0]["status"] == 999);
  CHECK(refused.dump().size() < 10'000);
}

} // namespace gasoline
