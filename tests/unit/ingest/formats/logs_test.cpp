#include "tests/unit/support/decoded.hpp"

#include <doctest/doctest.h>

namespace gasoline {
using namespace test;

TEST_CASE("a log entry keeps its known fields apart and the rest together") {
  const auto body = decoded_as("logs", R"({"entries":[{"ts":"2026-01-28T14:00:00.250Z",
    "level":"warning","type":"console","message":"slow","url":"http://localhost/a",
    "source":"app.js:12","_aggregatedCount":7,"args":["slow",{"a":{"b":[1,2]}}]}]})");
  REQUIRE(body.events.size() == 1);
  const auto& e = body.events[0];
  CHECK(to_iso8601(e.at) == "2026-01-28T14:00:00.250Z");
  CHECK(e.level == log_level::warn);
  CHECK(e.message == "slow");
  CHECK(e.count == 7);
  CHECK(e.fields == R"("source":"app.js:12","args":["slow",{"a":{"b":[1,2]}}])");
}

TEST_CASE("one bad entry is refused with its index and the others are kept") {
  const auto body =
      decoded_as("logs", R"([{"message":"ok"},{"level":"loud","message":"x"},42,{"message":"y"}])");
  CHECK(body.received == 4);
  CHECK(body.rejected == 2);
  REQUIRE(body.errors.size() == 2);
  CHECK(body.errors[0].index == 1);
  CHECK(body.errors[0].message == "level must be one of error, warn, info, log, debug");
  CHECK(body.errors[1].index == 2);
  REQUIRE(body.events.size() == 2);
  CHECK(body.events[1].message == "y");
}

TEST_CASE("broken characters never cost the batch") {
  const auto body =
      decoded_as("logs", R"([{"message":"ok"},{"message":"cut \ud83d"},{"message":"a\u0000b"},)"
                         R"({"message":"\ud83d\ude00"},{"message":"call)"
                         "\x95"
                         R"(sign","status":1e999}])");
  CHECK(body.received == 5);
  REQUIRE(body.events.size() == 4);
  CHECK(body.events[1].message == "cut \xEF\xBF\xBD");
  CHECK(body.events[2].message == std::string{"a\0b", 3});
  CHECK(body.events[3].message == "\xF0\x9F\x98\x80");
  CHECK(body.errors[0].index == 4);
}

TEST_CASE("a body that is no JSON or nests too deeply is refused as a whole") {
  CHECK(refused_as("logs", "[NaN]").find("not valid JSON") != std::string::npos);
  CHECK(refused_as("logs", "").find("empty") != std::string::npos);
  CHECK(refused_as("logs", std::string(512'000, '[')).find("JSON") != std::string::npos);
  CHECK(refused_as("logs", std::string(100'000, '[') + std::string(100'000, ']'))
            .find("nests deeper than 128") != std::string::npos);
  CHECK(refused_as("logs", R"({"lines":[]})").find("\"entries\"") != std::string::npos);
}

TEST_CASE("size, not depth, shortens a value, and its size is told") {
  const std::string big(5U << 20U, 'x');
  const auto body = decoded_as("logs", R"([{"message":"a"},{"message":"b","args":[{"k":")" + big +
                                           R"("}]},{"message":"c"}])");
  REQUIRE(body.events.size() == 3);
  CHECK(body.events[1].fields.size() < 20'000);
  CHECK(body.events[1].fields.find("[truncated, 5242890 bytes]") != std::string::npos);
  CHECK(body.events[2].message == "c");
}

TEST_CASE("a secret across the cut leaves no part of itself") {
  const std::string filler(10'224, 'w');
  const std::string token = "ghp_ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghij";
  const auto body =
      decoded_as("logs", R"([{"message":")" + filler + " " + token + " " + filler + R"("}])");
  REQUIRE(body.events.size() == 1);
  CHECK(body.events[0].message.find("ghp_") == std::string::npos);
  CHECK(body.events[0].message.find("[truncated, ") != std::string::npos);
}

TEST_CASE("a giant stack keeps its first frames and a count") {
  std::string stack = "TypeError: x";
  for (int i = 0; i < 5000; ++i)
    stack += "\\n    at f (main.3f.js:1:" + std::to_string(i) + ")";
  const auto body =
      decoded_as("logs", R"([{"type":"exception","message":"x","stack":")" + stack + "\"}]");
  REQUIRE(body.events.size() == 1);
  CHECK(body.events[0].level == log_level::error);
  CHECK(body.events[0].stack.find("main.3f.js:1:19)") != std::string::npos);
  CHECK(body.events[0].stack.find("… and 4980 more frames") != std::string::npos);
}

TEST_CASE("a vital among log entries becomes a performance event") {
  const auto body =
      decoded_as("logs",
                 R"([{"type":"vital","name":"LCP","id":"v1","value":2400,"url":"http://a/"},
                               {"type":"vital","name":"CLS","id":"v1","value":0,
                                "navigationType":"back-forward-cache"}])");
  REQUIRE(body.events.size() == 2);
  CHECK(body.events[0].kind == telemetry_kind::load);
  CHECK((*body.events[0].metrics)[page_metric::lcp] == 2400);
  CHECK(body.events[0].name == "v1");
  CHECK_FALSE(body.events[1].metrics);
}

TEST_CASE("an entry says who observed it and in which program") {
  const auto body = decoded_as(
      "logs",
      R"([{"message":"a","origin":"process","service":"api"},{"message":"b","origin":"x"}])");
  REQUIRE(body.events.size() == 2);
  CHECK(body.events[0].origin == event_origin::process);
  CHECK(body.events[0].service == "api");
  CHECK(body.events[0].fields.empty());
  CHECK(body.events[1].origin == event_origin::page);
  CHECK(body.events[1].fields == R"("origin":"x")");
}

TEST_CASE("what a vital became comes after the log entries") {
  const auto body =
      decoded_as("logs", R"([{"type":"vital","name":"CLS","value":0.5},{"message":"a"}])");
  REQUIRE(body.events.size() == 2);
  CHECK(body.events[0].message == "a");
  CHECK(body.events[1].kind == telemetry_kind::load);
}

TEST_CASE("log entries are answered in the shape that older clients know") {
  const auto* format = find_format("logs");
  const auto answer = format->answer(decoded_as("logs", R"([{"message":"a"},7])"), {});
  CHECK(answer.status == 200);
  CHECK(answer.body == R"({"received":2,"rejected":1,"entries":1,)"
                       R"("errors":[{"index":1,"error":"an entry must be an object"}]})");
  CHECK(format->answer(decoded_as("logs", "[7]"), {}).status == 400);
  CHECK(format->answer(decoded_as("logs", R"([{"message":"a"}])"), {}).body ==
        R"({"received":1,"rejected":0,"entries":1})");
}

} // namespace gasoline
