#include "actors/ingest/formats/otlp/otlp_events.hpp"
#include "tests/unit/support/decoded.hpp"
#include "tests/unit/support/protobuf_bytes.hpp"

#include <doctest/doctest.h>

#include <string>

namespace gasoline {
using namespace test;

namespace {

constexpr std::uint64_t told_at = 1'769'610'599'000'000'000; // a second before it is decoded

std::string otlp_log_record(std::uint32_t severity, std::string_view body) {
  return otlp_record(fixed64_field(1, told_at) + number_field(2, severity) +
                     bytes_field(5, text_value(body)));
}

ingest_head protobuf_head() {
  return {.content_type = "application/x-protobuf", .parameter = {}, .headers = {}};
}

ingest_answer answered(std::string_view format, const decoded_body& body, const ingest_head& head) {
  return find_format(format)->answer(body, head);
}

std::string json_log(std::string_view record) {
  return R"({"resourceLogs":[{"scopeLogs":[{"logRecords":[)" + std::string{record} + "]}]}]}";
}

} // namespace

TEST_CASE("OTLP logs in protobuf: level, text, service, ids and attributes") {
  const auto record = otlp_record(fixed64_field(1, told_at) + number_field(2, 17) +
                                  bytes_field(5, text_value("no card")) +
                                  attribute(6, "order.id", number_field(3, 17)) +
                                  bytes_field(9, "0123456789abcdef") + bytes_field(10, "01234567"));
  const auto body = decoded_as("otlp_logs", otlp_request("checkout-api", record));
  REQUIRE(body.events.size() == 1);
  const auto& e = body.events[0];
  CHECK(e.kind == telemetry_kind::log);
  CHECK(e.level == log_level::error);
  CHECK(e.type == entry_type::exception);
  CHECK(e.message == "no card");
  CHECK(e.at_given);
  CHECK(to_iso8601(e.at) == "2026-01-28T14:29:59.000Z");
  CHECK(e.origin == event_origin::otlp);
  CHECK(e.service == "checkout-api");
  CHECK(e.fields.find(R"("trace_id":"30313233343536373839616263646566")") != std::string::npos);
  CHECK(e.fields.find(R"("attributes":{"order.id":17})") != std::string::npos);
}

TEST_CASE("severities of OTLP are levels, and only errors are faults") {
  const auto level = [](std::uint32_t severity) {
    return decoded_as("otlp_logs", otlp_request("s", otlp_log_record(severity, "x")))
        .events[0]
        .level;
  };
  CHECK(level(0) == log_level::log);
  CHECK(level(1) == log_level::debug);
  CHECK(level(9) == log_level::info);
  CHECK(level(13) == log_level::warn);
  CHECK(level(17) == log_level::error);
  CHECK(level(24) == log_level::error);
  const auto body = decoded_as("otlp_logs", otlp_request("s", otlp_log_record(13, "x")));
  CHECK(body.events[0].type == entry_type::console);
}

TEST_CASE("the JSON of OTLP as it is really written") {
  const auto body = decoded_as("otlp_logs", json_log(R"(
    {"time_unix_nano":1769610599000000000,"severityNumber":"SEVERITY_NUMBER_ERROR2",
     "traceId":"S/kvNXezTaajzpKdDg5HNg==","spanId":"00F067AA0BA902B7","unknown":[1],
     "body":{"kvlistValue":{"values":[{"key":"a","value":{"intValue":"9007199254740993"}},
                                      {"key":"b","value":{"arrayValue":{"values":[{}]}}}]}},
     "attributes":[{"key":"n","value":{"intValue":{"low":5,"high":1}}},
                   {"key":"b","value":{"bytesValue":"AAAA"}}]})"));
  REQUIRE(body.events.size() == 1);
  const auto& e = body.events[0];
  CHECK(e.level == log_level::error);
  CHECK(e.message == R"({"a":9007199254740993,"b":[null]})");
  CHECK(e.fields.find("4bf92f3577b34da6a3ce929d0e0e4736") != std::string::npos);
  CHECK(e.fields.find("00f067aa0ba902b7") != std::string::npos);
  CHECK(e.fields.find(R"("n":4294967301)") != std::string::npos);
  CHECK(e.fields.find(R"x("b":"(3 bytes)")x") != std::string::npos);
}

TEST_CASE("empty requests are taken, in either encoding") {
  CHECK(decoded_as("otlp_logs", "").received == 0);
  CHECK(decoded_as("otlp_logs", "{}").received == 0);
  const auto nothing = decoded_as("otlp_logs", "");
  CHECK(answered("otlp_logs", nothing,
                 {.content_type = "application/json", .parameter = {}, .headers = {}})
            .body == "{}");
  const auto answer = answered("otlp_logs", nothing, protobuf_head());
  CHECK(answer.body.empty());
  CHECK(answer.content_type == "application/x-protobuf");
}

TEST_CASE("what is no OTLP is told to the sender without making it send again") {
  const auto body = decoded_as("otlp_logs", R"({"entries":[]})");
  CHECK(body.remark.find("resourceLogs") != std::string::npos);
  const auto answer = answered("otlp_logs", body, {});
  CHECK(answer.status == 200);
  CHECK(answer.body.find(R"("partialSuccess":{"rejectedLogRecords":"0","errorMessage":)") == 1);
  CHECK(refused_as("otlp_logs", "[1]").find("resourceLogs") != std::string::npos);
}

TEST_CASE("a partial success says how many and why, in the sender's encoding") {
  const auto body =
      decoded_as("otlp_logs", otlp_request("s", otlp_log_record(9, "kept") + otlp_record("")));
  CHECK(body.events.size() == 1);
  CHECK(body.rejected == 1);
  const auto answer = answered("otlp_logs", body, protobuf_head());
  const std::string why = "record 1: a log record needs a body, an event name or attributes";
  CHECK(answer.body == bytes_field(1, number_field(1, 1) + bytes_field(2, why)));
  const auto refusal = find_format("otlp_logs")->route.refusal(400, "no", protobuf_head());
  CHECK(refusal.body == number_field(1, 3) + bytes_field(2, "no"));
}

TEST_CASE("hostile protobuf: wire types, groups, depth, cuts") {
  const auto good = otlp_request("s", otlp_log_record(9, "kept"));
  // A field of another wire type is unknown, and the rest is read.
  const auto odd = otlp_record(number_field(5, 7) + number_field(1, 3) + tag(2, 5) + "1234" +
                               bytes_field(6, number_field(1, 1)) + bytes_field(12, "named"));
  CHECK(decoded_as("otlp_logs", otlp_request("s", odd)).events[0].message == "named");
  const auto refused = [](std::string body) {
    const auto out =
        make_decoder().decode(*find_format("otlp_logs"), std::move(body), {}, protobuf_head());
    return !out;
  };
  CHECK(refused(number_field(1, 1)));
  CHECK(refused(good + tag(9, 3) + tag(9, 4)));
  CHECK(refused(good + tag(0, 0)));
  CHECK(refused(R"({"resourceLogs":[]})"));
  std::string deep = text_value("bottom");
  for (int i = 0; i < 1'000; ++i)
    deep = bytes_field(5, bytes_field(1, deep));
  const auto body = decoded_as("otlp_logs", otlp_request("s", otlp_record(bytes_field(5, deep)) +
                                                                  otlp_log_record(9, "kept")));
  CHECK(body.rejected == 1);
  CHECK(body.errors[0].message.find("nests deeper") != std::string::npos);
  REQUIRE(body.events.size() == 1);
  for (std::size_t cut = 1; cut < good.size(); ++cut)
    CHECK(refused(good.substr(0, cut)));
}

TEST_CASE("ill-formed UTF-8 in protobuf is repaired") {
  const auto body = decoded_as("otlp_logs", otlp_request("s\xFF", otlp_log_record(9, "a\xC3(b")));
  CHECK(body.events[0].message == "a\xEF\xBF\xBD(b");
  CHECK(body.events[0].service == "s\xEF\xBF\xBD");
}

TEST_CASE("a clock that is years off is a label beside the receipt time") {
  const auto record =
      otlp_record(fixed64_field(1, 4'000'000'000'000'000'000ULL) + bytes_field(5, text_value("x")));
  const auto e = decoded_as("otlp_logs", otlp_request("s", record)).events[0];
  CHECK_FALSE(e.at_given);
  CHECK(to_iso8601(e.at) == "2026-01-28T14:30:00.000Z");
  CHECK(e.fields.find(R"("sent_at":"2096-)") != std::string::npos);
}

TEST_CASE("what coding agents export of themselves is counted and not kept") {
  const auto body = decoded_as("otlp_logs", otlp_request("claude-code", otlp_log_record(17, "x")));
  CHECK(body.events.empty());
  CHECK(body.set_apart == 1);
  CHECK(is_coding_agent("codex_cli_rs"));
  CHECK(is_coding_agent("gemini-cli"));
  CHECK_FALSE(is_coding_agent("clinepath"));
  CHECK_FALSE(is_coding_agent("checkout-api"));
  CHECK_FALSE(is_coding_agent(""));
}

TEST_CASE("records beyond the cap of a body are refused, the others kept") {
  limits limit;
  limit.ingest.otlp_records = 2;
  std::string records;
  for (int i = 0; i < 5; ++i)
    records += otlp_log_record(9, "x");
  const auto body =
      make_decoder(limit).decode(*find_format("otlp_logs"), otlp_request("s", records), {});
  REQUIRE(body);
  CHECK(body->events.size() == 2);
  CHECK(body->rejected == 3);
}

} // namespace gasoline
