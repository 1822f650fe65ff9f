#include "actors/ingest/formats/event_decoder.hpp"

#include <doctest/doctest.h>

namespace gasoline {
namespace {

const wall_time now = *from_iso8601("2026-01-28T14:30:00Z");

std::shared_ptr<const redaction_engine> engine() {
  static const auto shared =
      std::make_shared<const redaction_engine>(std::vector<redaction_rule>{});
  return shared;
}

decoded_body decode(event_source source, std::string body, limits limit = {}) {
  event_decoder decoder{limit, engine()};
  auto out = decoder.decode(source, std::move(body), now);
  REQUIRE_MESSAGE(out, (out ? std::string{} : out.error().message));
  return std::move(*out);
}

std::string refusal(event_source source, std::string body) {
  event_decoder decoder{limits{}, engine()};
  const auto out = decoder.decode(source, std::move(body), now);
  REQUIRE_FALSE(out);
  return out.error().message;
}

} // namespace

TEST_CASE("a log entry keeps its known fields apart and the rest together") {
  const auto body = decode(event_source::logs, R"({"entries":[{"ts":"2026-01-28T14:00:00.250Z",
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
      decode(event_source::logs,
             R"([{"message":"ok"},{"level":"loud","message":"x"},42,{"message":"y"}])");
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
  const auto body = decode(event_source::logs,
                           R"([{"message":"ok"},{"message":"cut \ud83d"},{"message":"a\u0000b"},)"
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
  CHECK(refusal(event_source::logs, "[NaN]").find("not valid JSON") != std::string::npos);
  CHECK(refusal(event_source::logs, "").find("empty") != std::string::npos);
  CHECK(refusal(event_source::logs, std::string(512'000, '[')).find("JSON") != std::string::npos);
  CHECK(refusal(event_source::logs, std::string(100'000, '[') + std::string(100'000, ']'))
            .find("nests deeper than 128") != std::string::npos);
  CHECK(refusal(event_source::logs, R"({"lines":[]})").find("\"entries\"") != std::string::npos);
}

TEST_CASE("size, not depth, shortens a value, and its size is told") {
  const std::string big(5U << 20U, 'x');
  const auto body = decode(event_source::logs, R"([{"message":"a"},{"message":"b","args":[{"k":")" +
                                                   big + R"("}]},{"message":"c"}])");
  REQUIRE(body.events.size() == 3);
  CHECK(body.events[1].fields.size() < 20'000);
  CHECK(body.events[1].fields.find("[truncated, 5242890 bytes]") != std::string::npos);
  CHECK(body.events[2].message == "c");
}

TEST_CASE("a secret across the cut leaves no part of itself") {
  const std::string filler(10'224, 'w');
  const std::string token = "ghp_ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghij";
  const auto body = decode(event_source::logs,
                           R"([{"message":")" + filler + " " + token + " " + filler + R"("}])");
  REQUIRE(body.events.size() == 1);
  CHECK(body.events[0].message.find("ghp_") == std::string::npos);
  CHECK(body.events[0].message.find("[truncated, ") != std::string::npos);
}

TEST_CASE("a giant stack keeps its first frames and a count") {
  std::string stack = "TypeError: x";
  for (int i = 0; i < 5000; ++i)
    stack += "\\n    at f (main.3f.js:1:" + std::to_string(i) + ")";
  const auto body = decode(event_source::logs,
                           R"([{"type":"exception","message":"x","stack":")" + stack + "\"}]");
  REQUIRE(body.events.size() == 1);
  CHECK(body.events[0].level == log_level::error);
  CHECK(body.events[0].stack.find("main.3f.js:1:19)") != std::string::npos);
  CHECK(body.events[0].stack.find("… and 4980 more frames") != std::string::npos);
}

TEST_CASE("performance snapshots carry only usable metrics") {
  const auto body = decode(event_source::performance, R"({"snapshots":[
    {"url":"http://localhost/a","timing":{"load":1200,"first_contentful_paint":0,
     "largest_contentful_paint":-1,"time_to_first_byte":null},"cumulative_layout_shift":0},
    {"url":"http://localhost/a","timing":{"interaction_to_next_paint":9000},
     "navigation_type":"back-forward-cache"}]})");
  REQUIRE(body.events.size() == 2);
  const auto& metrics = *body.events[0].metrics;
  CHECK(metrics[page_metric::load] == 1200);
  CHECK(metrics[page_metric::cls] == 0);
  CHECK_FALSE(metrics[page_metric::fcp]);
  CHECK_FALSE(metrics[page_metric::lcp]);
  CHECK_FALSE(metrics[page_metric::ttfb]);
  CHECK_FALSE(body.events[1].metrics);
}

TEST_CASE("a vital among log entries becomes a performance event") {
  const auto body =
      decode(event_source::logs,
             R"([{"type":"vital","name":"LCP","id":"v1","value":2400,"url":"http://a/"},
                               {"type":"vital","name":"CLS","id":"v1","value":0,
                                "navigationType":"back-forward-cache"}])");
  REQUIRE(body.events.size() == 2);
  CHECK(body.events[0].source == event_source::performance);
  CHECK((*body.events[0].metrics)[page_metric::lcp] == 2400);
  CHECK(body.events[0].name == "v1");
  CHECK_FALSE(body.events[1].metrics);
}

TEST_CASE("a CI result is checked field by field") {
  const auto body = decode(event_source::ci,
                           R"({"status":"failure","source":"gitlab-ci","ref":"main","commit":"abc",
                               "failures":[{"name":"t","message":"m"}],"duration_ms":45000})");
  REQUIRE(body.events.size() == 1);
  CHECK(body.events[0].ci->status == ci_status::failure);
  CHECK(body.events[0].ci->failures[0].name == "t");
  CHECK(refusal(event_source::ci, R"({"status":"","source":"x"})").find("status") == 0);
  CHECK(decode(event_source::ci, R"({"status":"banana","source":"x"})").events[0].ci->word ==
        "banana");
  CHECK(refusal(event_source::ci, R"({"status":"failure"})").find("source") == 0);
  CHECK(refusal(event_source::ci, R"({"status":"failure","source":"x","ref":7})") ==
        "ref must be a string.");
  CHECK(refusal(event_source::ci, R"({"status":"failure","source":"x","failures":{}})")
            .find("failures must be a list") == 0);
  CHECK(refusal(event_source::ci, "[]").find("object") != std::string::npos);
}

TEST_CASE("10,000 CI failures are counted and the first ones kept") {
  std::string failures;
  for (int i = 0; i < 10'000; ++i)
    failures += std::string{i ? "," : ""} + R"({"name":"t)" + std::to_string(i) + "\"}";
  const auto body = decode(event_source::ci,
                           R"({"status":"failure","source":"x","failures":[)" + failures + "]}");
  CHECK(body.events[0].ci->failure_count == 10'000);
  CHECK(body.events[0].ci->failures.size() == limits{}.detection.ci_failures_shown);
}

} // namespace gasoline
