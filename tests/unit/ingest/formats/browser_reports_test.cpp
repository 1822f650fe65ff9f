#include "tests/unit/support/decoded.hpp"

#include <doctest/doctest.h>

#include <string>

namespace gasoline {
namespace {

raw_event only_report(const std::string& json) {
  auto body = test::decoded_as("browser_reports", json);
  REQUIRE(body.events.size() == 1);
  return body.events.front();
}

} // namespace

TEST_CASE("a policy violation reads the same from every generation of reports") {
  for (const auto* report :
       {R"([{"type":"csp-violation","age":250,"url":"http://localhost:3000/","body":{)"
        R"("documentURL":"http://localhost:3000/","blockedURL":"https://cdn.test/x.js",)"
        R"("effectiveDirective":"script-src-elem","disposition":"enforce","lineNumber":3}}])",
        R"({"csp-report":{"document-uri":"http://localhost:3000/","line-number":3,)"
        R"("blocked-uri":"https://cdn.test/x.js","effective-directive":"script-src-elem"}})",
        R"({"document-uri":"http://localhost:3000/","blocked-uri":"https://cdn.test/x.js",)"
        R"("line-number":"3","violated-directive":"script-src-elem 'self'"})"}) {
    CAPTURE(report);
    const auto e = only_report(report);
    CHECK(e.origin == event_origin::report);
    CHECK(e.type == entry_type::security);
    CHECK(e.level == log_level::warn);
    CHECK(e.message == "CSP: https://cdn.test/x.js violates script-src-elem");
    CHECK(e.url == "http://localhost:3000/");
    CHECK(e.fields.find(R"("lineno":3)") != std::string::npos);
  }
}

TEST_CASE("each type of report means what it is") {
  const auto crash = only_report(R"({"type":"crash","url":"http://a/","body":{"reason":"oom"}})");
  CHECK(crash.type == entry_type::exception);
  CHECK(crash.message == "The page crashed: it had no memory left");
  const auto advice = only_report(
      R"([{"type":"deprecation","url":"http://a/","body":{"id":"x","message":"x is gone soon"}}])");
  CHECK(advice.type == entry_type::console);
  CHECK(advice.message == "Deprecated: x is gone soon");
  const auto coep = only_report(
      R"([{"type":"coep","url":"http://a/","body":{"type":"corp","blockedURL":"http://b/i.png"}}])");
  CHECK(coep.type == entry_type::security);
  CHECK(coep.message == "COEP: corp http://b/i.png");
  const auto lost =
      only_report(R"([{"type":"network-error","url":"http://a/api","body":{"type":"tcp.timed_out",)"
                  R"("method":"GET","status_code":0,"elapsed_time":143}}])");
  CHECK(lost.kind == telemetry_kind::request);
  CHECK(lost.status == 0);
  CHECK(lost.duration_ms == 143);
  const auto other = only_report(R"([{"type":"new-thing","url":"http://a/","body":{"a":1}}])");
  CHECK(other.level == log_level::info);
  CHECK(other.message == "Browser report: new-thing");
}

TEST_CASE("what was kept back happened when it happened") {
  const auto at = [](const char* age) {
    return to_iso8601(only_report(R"([{"type":"x","body":{},"age":)" + std::string{age} + "}]").at);
  };
  CHECK(at("1500") == "2026-01-28T14:29:58.500Z");
  for (const auto* wrong : {"-1", "1e300", "null", "\"x\"", "90000000"})
    CHECK(at(wrong) == "2026-01-28T14:30:00.000Z");
}

TEST_CASE("reports that are none are refused by themselves, and all of them as a whole") {
  const auto body = test::decoded_as(
      "browser_reports", R"([7,{"type":"crash","body":{}},{},{"type":"x","body":null}])");
  CHECK(body.events.size() == 2);
  CHECK(body.rejected == 2);
  for (const auto* none : {"[7]", "7", "{}", "null", "\"x\"", "no json"})
    CHECK_FALSE(test::refused_as("browser_reports", none).empty());
  CHECK(test::decoded_as("browser_reports", "[]").events.empty());
  CHECK(find_format("browser_reports")->answer(body, {}).status == 204);
}

} // namespace gasoline
