#include "tests/unit/support/decoded.hpp"
#include "tests/unit/support/protobuf_bytes.hpp"

#include <doctest/doctest.h>

#include <string>

namespace gasoline {
using namespace test;

namespace {

constexpr std::uint64_t begun_at = 1'769'610'599'000'000'000;
constexpr std::uint64_t one_ms = 1'000'000;

std::string span_start(std::uint32_t kind, std::string_view name) {
  return bytes_field(1, "0123456789abcdef") + bytes_field(2, "01234567") +
         bytes_field(4, "76543210") + bytes_field(5, name) + number_field(6, kind) +
         fixed64_field(7, begun_at) + fixed64_field(8, begun_at + 30 * one_ms);
}

std::string exception_event() {
  return bytes_field(11, fixed64_field(1, begun_at) + bytes_field(2, "exception") +
                             attribute(3, "exception.type", text_value("TypeError")) +
                             attribute(3, "exception.message", text_value("x is not a function")) +
                             attribute(3, "exception.stacktrace",
                                       text_value("TypeError: x is not a function\n"
                                                  "    at f (/app/node_modules/lib/a.js:1:2)\n"
                                                  "    at list (/app/src/orders.js:88:9)")));
}

std::string http_attributes(std::uint32_t status) {
  return attribute(9, "http.request.method", text_value("GET")) +
         attribute(9, "http.route", text_value("/orders/:id")) +
         attribute(9, "url.scheme", text_value("http")) +
         attribute(9, "url.path", text_value("/orders/7")) +
         attribute(9, "server.address", text_value("localhost")) +
         attribute(9, "server.port", number_field(3, 3000)) +
         attribute(9, "http.response.status_code", number_field(3, status));
}

std::string failed_status() {
  return bytes_field(15, bytes_field(2, "it broke") + number_field(3, 2));
}

decoded_body spans(std::string_view records) {
  return decoded_as("otlp_traces", otlp_request("checkout-api", records));
}

} // namespace

TEST_CASE("OTLP traces: a server's span is a request with its route, time and trace") {
  const auto body = decoded_as(
      "otlp_traces",
      otlp_request("checkout-api", otlp_record(span_start(2, "GET") + http_attributes(200))));
  REQUIRE(body.events.size() == 1);
  const auto& e = body.events[0];
  CHECK(e.kind == telemetry_kind::request);
  CHECK(e.name == "GET");
  CHECK(e.url == "http://localhost:3000/orders/7");
  CHECK(e.status == 200);
  CHECK(e.duration_ms == 30);
  REQUIRE(e.metrics);
  CHECK((*e.metrics)[page_metric::response] == 30.0);
  CHECK(e.fields.find(R"("route":"/orders/:id")") != std::string::npos);
  CHECK(e.fields.find(R"("parent_span_id":"3736353433323130")") != std::string::npos);
}

TEST_CASE("an exception in a failed server span is told by the request and as an error") {
  const auto body = spans(otlp_record(span_start(2, "GET") + http_attributes(500) +
                                      exception_event() + failed_status()));
  REQUIRE(body.events.size() == 2);
  CHECK(body.events[0].kind == telemetry_kind::request);
  CHECK(body.events[0].message == "TypeError: x is not a function");
  CHECK_FALSE(body.events[0].metrics);
  CHECK(body.events[1].kind == telemetry_kind::log);
  CHECK(body.events[1].type == entry_type::exception);
  CHECK(body.events[1].message == "TypeError: x is not a function");
  CHECK(body.events[1].stack.find("orders.js:88:9") != std::string::npos);
}

TEST_CASE("a failed span without an exception is an error, one without fault is counted") {
  const auto failed = spans(otlp_record(span_start(1, "charge card") + failed_status()));
  REQUIRE(failed.events.size() == 1);
  CHECK(failed.events[0].message == "charge card: it broke");
  CHECK(failed.events[0].type == entry_type::exception);
  const auto fine = spans(otlp_record(span_start(1, "charge card")));
  CHECK(fine.events.empty());
  CHECK(fine.counted_only == 1);
  const auto client = spans(otlp_record(span_start(3, "GET") + http_attributes(503) +
                                        bytes_field(15, number_field(3, 2))));
  REQUIRE(client.events.size() == 1);
  CHECK(client.events[0].message == "GET http://localhost:3000/orders/7: status 503");
}

TEST_CASE("a failed request says what was thrown below it, and comes first") {
  const auto body = spans(otlp_record(span_start(3, "pg.query") + exception_event()) +
                          otlp_record(span_start(2, "GET") + http_attributes(500)));
  REQUIRE(body.events.size() == 2);
  CHECK(body.events[0].kind == telemetry_kind::request);
  CHECK(body.events[0].message == "TypeError: x is not a function");
  CHECK(body.events[0].stack.find("orders.js:88:9") != std::string::npos);
  CHECK(body.events[1].type == entry_type::exception);
}

TEST_CASE("names of the semantic conventions before 1.21, and old libraries") {
  const auto body = decoded_as("otlp_traces", R"({"resourceSpans":[{"instrumentationLibrarySpans":[
    {"spans":[{"kind":2,"name":"GET","startTimeUnixNano":"1769610599000000000",
               "endTimeUnixNano":1769610599005000000,
               "attributes":[{"key":"http.method","value":{"stringValue":"GET"}},
                             {"key":"http.status_code","value":{"intValue":"404"}},
                             {"key":"http.scheme","value":{"stringValue":"http"}},
                             {"key":"http.host","value":{"stringValue":"localhost:8080"}},
                             {"key":"http.target","value":{"stringValue":"/a?b=1"}}]}]}]}]})");
  REQUIRE(body.events.size() == 1);
  CHECK(body.events[0].url == "http://localhost:8080/a?b=1");
  CHECK(body.events[0].status == 404);
  CHECK(body.events[0].duration_ms == 5);
}

TEST_CASE("spans and their parts may be anything") {
  const auto body = decoded_as("otlp_traces", R"({"resourceSpans":[null,{"scopeSpans":[{"spans":[
    7,{"events":[null,{"name":5,"attributes":{}}],"status":[],"attributes":[7,{"key":1}],
       "kind":"SPAN_KIND_NEW","startTimeUnixNano":-5,"endTimeUnixNano":"x"}]}]}]})");
  CHECK(body.received == 2);
  CHECK(body.rejected == 1);
  CHECK(body.counted_only == 1);
}

} // namespace gasoline
