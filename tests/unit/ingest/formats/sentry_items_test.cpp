#include "tests/unit/support/decoded.hpp"

#include <doctest/doctest.h>

#include <string>

namespace gasoline {
namespace {

using test::decoded_as;

decoded_body with_item(const std::string& type, const std::string& payload) {
  return decoded_as("sentry", "{}\n{\"type\":\"" + type + "\"}\n" + payload + "\n");
}

raw_event item_event(const std::string& type, const std::string& payload) {
  auto body = with_item(type, payload);
  REQUIRE(body.events.size() == 1);
  return body.events.front();
}

bool holds(const raw_event& e, std::string_view part) {
  return e.fields.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("breadcrumbs come before their event, as echoes below level error, each once") {
  const std::string crumbs =
      R"({"message":"a","breadcrumbs":{"values":[)"
      R"({"timestamp":1769610590,"category":"navigation","data":{"from":"/","to":"/cart"}},)"
      R"({"timestamp":1769610591,"category":"ui.click","message":"button#pay"},)"
      R"({"timestamp":1769610592,"category":"fetch","type":"http",)"
      R"("data":{"method":"POST","url":"/api/pay","status_code":500}},)"
      R"({"timestamp":1769610593,"category":"console","level":"error","message":"pay failed",)"
      R"("data":{"arguments":["pay failed"]}},)"
      R"({"timestamp":1769610594,"category":"query","data":{"sql":"select 1"}},)"
      R"({"timestamp":1769610595,"category":"sentry.event","level":"error","message":"x"},7]}})";
  auto decoder = test::make_decoder();
  const auto* row = find_format("sentry");
  const auto now = *from_iso8601("2026-01-28T14:30:00Z");
  const auto body = decoder.decode(*row, "{}\n{\"type\":\"event\"}\n" + crumbs, now);
  REQUIRE(body);
  const auto& events = body->events;
  REQUIRE(events.size() == 6);
  for (std::size_t i = 0; i < 5; ++i) {
    CHECK(events[i].echo);
    CHECK(events[i].level < log_level::error);
    CHECK(events[i].origin == event_origin::sentry);
    CHECK(to_iso8601(events[i].at) == "2026-01-28T14:29:5" + std::to_string(i) + ".000Z");
  }
  CHECK(events[0].kind == telemetry_kind::action);
  CHECK(events[0].name == "navigate");
  CHECK(events[0].url == "/cart");
  CHECK(events[1].name == "click");
  CHECK(holds(events[1], R"("selector":"button#pay")"));
  CHECK(events[2].kind == telemetry_kind::request);
  CHECK(events[2].name == "POST");
  CHECK(events[2].status == 500);
  CHECK(events[3].level == log_level::warn);
  CHECK(events[3].message == "pay failed");
  CHECK(events[4].message == R"({"sql":"select 1"})");
  CHECK_FALSE(events[5].echo);
  CHECK(decoder.decode(*row, "{}\n{\"type\":\"event\"}\n" + crumbs, now)->events.size() == 1);
}

TEST_CASE("what a server answered is a request, in spans of both versions and in transactions") {
  const std::string transaction =
      R"({"type":"transaction","transaction":"/orders/{id}","release":"shop@2",)"
      R"("start_timestamp":1769610590,"timestamp":1769610590.25,)"
      R"("request":{"method":"GET","url":"http://localhost:8000/orders/7"},)"
      R"("contexts":{"trace":{"op":"http.server","status":"internal_error","trace_id":"t1"},)"
      R"("response":{"status_code":503}},"spans":[{"op":"db","status":"internal_error"}]})";
  auto body = with_item("transaction", transaction);
  REQUIRE(body.events.size() == 1);
  CHECK(body.counted_only == 1);
  CHECK(body.events[0].kind == telemetry_kind::request);
  CHECK(body.events[0].status == 503);
  CHECK(body.events[0].name == "GET");
  CHECK(body.events[0].url == "http://localhost:8000/orders/7");
  CHECK(body.events[0].duration_ms == 250);
  CHECK(body.events[0].service == "shop");
  CHECK(holds(body.events[0], R"("trace_id":"t1")"));

  const std::string attributes =
      R"("attributes":{"sentry.op":{"value":"http.server","type":"string"},)"
      R"("http.response.status_code":{"value":200,"type":"integer"},)"
      R"("http.request.method":{"value":"PUT","type":"string"},)"
      R"("sentry.release":{"value":"shop@3","type":"string"}})";
  const auto v2 = item_event("span", R"({"version":2,"items":[{"name":"PUT /cart","span_id":"s",)"
                                     R"("is_segment":true,"status":"ok",)" +
                                         attributes + "}]}");
  CHECK(v2.kind == telemetry_kind::request);
  CHECK(v2.status == 200);
  CHECK(v2.name == "PUT");
  CHECK(v2.url == "PUT /cart");
  CHECK(v2.service == "shop");

  const auto v1 = item_event("span", R"({"op":"http.client","description":"GET http://db/x",)"
                                     R"("status":"unavailable","parent_span_id":"p",)"
                                     R"("data":{"http.method":"GET","http.url":"http://db/x"}})");
  CHECK(v1.kind == telemetry_kind::request);
  CHECK(v1.status == 503);
  CHECK(v1.url == "http://db/x");
}

TEST_CASE("of other spans those are told that failed and have no parent in their program") {
  const auto job =
      item_event("span", R"({"version":2,"items":[{"name":"nightly","is_segment":true,)"
                         R"("status":"error"}]})");
  CHECK(job.type == entry_type::exception);
  CHECK(job.message == "nightly failed: error");
  const auto quiet = with_item("span", R"({"version":2,"items":[{"name":"db","is_segment":false,)"
                                       R"("status":"error"},{"name":"x","is_segment":true,)"
                                       R"("status":"ok"},7]})");
  CHECK(quiet.events.empty());
  CHECK(quiet.counted_only == 2);
}

TEST_CASE("log records have their level; errors that a console printed are lines") {
  const auto body = with_item(
      "log", R"({"items":[{"timestamp":1769610599,"level":"error","body":"payment declined",)"
             R"("trace_id":"t","attributes":{"order":{"value":7,"type":"integer"},)"
             R"("sentry.release":{"value":"shop@1","type":"string"}}},)"
             R"({"level":"error","body":"printed","attributes":)"
             R"({"sentry.origin":{"value":"auto.log.console","type":"string"}}},)"
             R"({"severity_number":13,"body":{"stringValue":"careful"}},)"
             R"({"level":"trace","body":5}]})");
  REQUIRE(body.events.size() == 4);
  CHECK(body.events[0].type == entry_type::exception);
  CHECK(body.events[0].message == "payment declined");
  CHECK(body.events[0].service == "shop");
  CHECK(holds(body.events[0], R"("attributes":{"order":7})"));
  CHECK(body.events[1].type == entry_type::console);
  CHECK(body.events[1].level == log_level::error);
  CHECK(body.events[2].level == log_level::warn);
  CHECK(body.events[2].message == "careful");
  CHECK(body.events[3].level == log_level::debug);
  CHECK(body.events[3].message == "5");
  const auto otel =
      item_event("otel_log", R"({"severity_text":"ERROR","body":{"string_value":"lost"},)"
                             R"("attributes":[{"key":"shop","value":{"string_value":"north"}}]})");
  CHECK(otel.level == log_level::error);
  CHECK(otel.message == "lost");
  CHECK(holds(otel, R"("attributes":{"shop":"north"})"));
}

TEST_CASE("monitors that failed and words of users are told, the rest is counted") {
  const auto missed = item_event("check_in", R"({"monitor_slug":"backup","status":"missed"})");
  CHECK(missed.message == "Check-in of backup: missed");
  CHECK(missed.type == entry_type::exception);
  CHECK(with_item("check_in", R"({"monitor_slug":"backup","status":"ok"})").counted_only == 1);
  const auto said = item_event(
      "feedback", R"({"contexts":{"feedback":{"message":"it broke","url":"http://localhost/x"}}})");
  CHECK(said.message == "User feedback: it broke");
  CHECK(said.url == "http://localhost/x");
  CHECK(item_event("user_report", R"({"comments":"slow","event_id":"e"})").message ==
        "User feedback: slow");
  for (const auto* type : {"session", "sessions", "client_report", "attachment", "replay_event",
                           "replay_recording", "replay_video", "profile", "statsd", "new_thing"}) {
    CAPTURE(type);
    const auto body = with_item(type, "\x01 no json");
    CHECK(body.counted_only == 1);
    CHECK(body.rejected == 0);
  }
}

} // namespace gasoline
