#include "tests/unit/support/decoded.hpp"

#include <doctest/doctest.h>

namespace gasoline {
using namespace test;

TEST_CASE("a CI result is checked field by field") {
  const auto body =
      decoded_as("ci",
                 R"({"status":"failure","source":"gitlab-ci","ref":"main","commit":"abc",
                               "failures":[{"name":"t","message":"m"}],"duration_ms":45000})");
  REQUIRE(body.events.size() == 1);
  CHECK(body.events[0].ci->status == ci_status::failure);
  CHECK(body.events[0].ci->failures[0].name == "t");
  CHECK(refused_as("ci", R"({"status":"","source":"x"})").find("status") == 0);
  CHECK(decoded_as("ci", R"({"status":"banana","source":"x"})").events[0].ci->word == "banana");
  CHECK(refused_as("ci", R"({"status":"failure"})").find("source") == 0);
  CHECK(refused_as("ci", R"({"status":"failure","source":"x","ref":7})") ==
        "ref must be a string.");
  CHECK(refused_as("ci", R"({"status":"failure","source":"x","failures":{}})")
            .find("failures must be a list") == 0);
  CHECK(refused_as("ci", "[]").find("object") != std::string::npos);
}

TEST_CASE("10,000 CI failures are counted and the first ones kept") {
  std::string failures;
  for (int i = 0; i < 10'000; ++i)
    failures += std::string{i ? "," : ""} + R"({"name":"t)" + std::to_string(i) + "\"}";
  const auto body =
      decoded_as("ci", R"({"status":"failure","source":"x","failures":[)" + failures + "]}");
  CHECK(body.events[0].ci->failure_count == 10'000);
  CHECK(body.events[0].ci->failures.size() == limits{}.detection.ci_failures_shown);
}

} // namespace gasoline
