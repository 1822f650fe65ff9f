#include "tests/unit/support/ci_hooks.hpp"

#include <doctest/doctest.h>

#include <string>

namespace gasoline {
using namespace test;

namespace {

std::string jenkins_build(std::string_view phase, std::string_view status) {
  return R"({"name":"shop","url":"job/shop/","build":{"full_url":"http://ci/job/shop/18/",
    "number":18,"duration":3846,"phase":")" +
         std::string{phase} + R"(","status":")" + std::string{status} + R"(",
    "scm":{"branch":"origin/main","commit":"abc"},
    "testSummary":{"total":10,"failed":2,"passed":8,"skipped":0,
      "failedTests":[{"name":"adds","suite":"cart"},"pays"]}}})";
}

} // namespace

TEST_CASE("Jenkins: a build, its tests and its number") {
  const auto r = told_by("ci_jenkins", jenkins_build("COMPLETED", "FAILURE"));
  CHECK(r.status == ci_status::failure);
  CHECK(r.job == "shop");
  CHECK(r.ref == "main");
  CHECK(r.attempt == 18);
  CHECK(r.duration_ms == 3846);
  CHECK(r.summary == "2 of 10 tests failed");
  REQUIRE(r.failures.size() == 2);
  CHECK(r.failures[0].name == "adds");
  CHECK(r.failures[1].name == "pays");
  CHECK(told_by("ci_jenkins", jenkins_build("FINALIZED", "UNSTABLE")).status ==
        ci_status::unstable);
}

TEST_CASE("Jenkins: no status before the end, and what nobody waits for") {
  CHECK_FALSE(ignored_by("ci_jenkins", jenkins_build("STARTED", "")).empty());
  CHECK_FALSE(ignored_by("ci_jenkins", R"({"name":"x","build":{"phase":"QUEUED"}})").empty());
  CHECK_FALSE(ignored_by("ci_jenkins", jenkins_build("COMPLETED", "ABORTED")).empty());
  CHECK_FALSE(ignored_by("ci_jenkins", jenkins_build("FINALIZED", "NOT_BUILT")).empty());
}

} // namespace gasoline
