#include "tests/unit/support/decoded.hpp"

#include <doctest/doctest.h>

#include <string>

namespace gasoline {
namespace {

using test::decoded_as;
using test::refused_as;

std::string event_item(const std::string& event) {
  return "{\"type\":\"event\"}\n" + event + "\n";
}

raw_event only_event(const std::string& event, const std::string& header = "{}") {
  auto body = decoded_as("sentry", header + "\n" + event_item(event));
  REQUIRE(body.events.size() == 1);
  return body.events.front();
}

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

constexpr std::string_view own_and_library_frames = R"({"frames":[
    {"filename":"<frozen runpy>","function":"_run","lineno":88,"in_app":false},
    {"filename":"orders.py","abs_path":"/srv/app/orders.py","function":"load","lineno":12},
    {"filename":"lib/db.py","abs_path":"/usr/lib/db.py","function":"ask","lineno":7,
     "in_app":false}]})";

std::string one_line(std::string_view text) {
  std::string out{text};
  std::erase(out, '\n');
  return out;
}

} // namespace

TEST_CASE("an exception of a chain that says nothing is no cause") {
  CHECK(only_event(R"({"level":"error","exception":{"values":[null,5,{"type":null},)"
                   R"({"type":"E","value":"v"}]}})")
            .message == "E: v");
}

TEST_CASE("what a Sentry SDK caught or not is an error with its causes and its own frames first") {
  const auto e = only_event(
      R"({"level":"error","exception":[{"type":"KeyError","value":"'sku'"},)"
      R"({"type":"OrderError","value":"cannot load","mechanism":{"handled":false},"stacktrace":)" +
      one_line(own_and_library_frames) + "}]}");
  CHECK(e.kind == telemetry_kind::log);
  CHECK(e.origin == event_origin::sentry);
  CHECK(e.type == entry_type::exception);
  CHECK(e.level == log_level::error);
  CHECK(e.message == "OrderError: cannot load\nCaused by: KeyError: 'sku'");
  CHECK(e.stack == "    at load (/srv/app/orders.py:12)\n    at ask (/usr/lib/db.py:7)\n"
                   "    at _run (<frozen runpy>:88)");
  CHECK(contains(e.fields, R"("handled":false)"));
  CHECK_FALSE(contains(e.fields, "reported_by"));
}

TEST_CASE("items are cut by their length or by their line") {
  const std::string event = R"({"message":"a","level":"info"})";
  const auto sized =
      "{\"type\":\"event\",\"length\":" + std::to_string(event.size()) + "}\n" + event;
  for (const auto& body :
       {"{}\n" + sized, "{}\n" + sized + "\n", "{}\n{\"type\":\"event\"}\n" + event,
        "{}\r\n{\"type\":\"event\"}\n" + event + "\r\n\n",
        "{}\n{\"type\":\"attachment\",\"length\":3}\n\n\n\n\n" + sized,
        "{}\n{\"type\":\"x\",\"length\":0}\n\n" + sized}) {
    CAPTURE(body);
    const auto out = decoded_as("sentry", body);
    REQUIRE(out.events.size() == 1);
    CHECK(out.events[0].message == "a");
    CHECK(out.rejected == 0);
  }
}

TEST_CASE("what came before a broken item is kept") {
  const auto good = event_item(R"({"message":"a","level":"info"})");
  for (const std::string broken :
       {"{\"type\":\"event\",\"length\":99}\n{}", "{\"type\":\"event\",\"length\":1}\n{}\n",
        "{\"type\":\"event\",\"length\":-1}\n{}\n", "no header\n{}\n",
        "{\"type\":\"event\"}\nnone\n", "{\"type\":\"event\"}\n", "{\"type\":\"event\"}\n7\n",
        "[]\n"}) {
    CAPTURE(broken);
    const auto out = decoded_as("sentry", "{}\n" + good + broken);
    CHECK(out.events.size() == 1);
    CHECK(out.rejected == 1);
    CHECK(out.errors.size() == 1);
    CHECK_FALSE(refused_as("sentry", "{}\n" + broken).empty());
  }
  CHECK(contains(refused_as("sentry", ""), "first line"));
  CHECK(contains(refused_as("sentry", "[]"), "first line"));
}

TEST_CASE("an envelope that is cut anywhere gives what is whole, and no more") {
  const std::string event = R"({"message":"a","level":"info"})";
  const auto sized =
      "{\"type\":\"event\",\"length\":" + std::to_string(event.size()) + "}\n" + event + "\n";
  const auto whole = "{\"event_id\":\"\"}\n" + sized + event_item(event) + sized;
  for (std::size_t end = 0; end <= whole.size(); ++end) {
    CAPTURE(end);
    const auto out = test::try_decode("sentry", whole.substr(0, end));
    if (!out)
      continue;
    CHECK(out->events.size() + out->rejected <= 3);
    for (const auto& e : out->events)
      CHECK(e.message == "a");
  }
  CHECK(decoded_as("sentry", whole).events.size() == 3);
}

TEST_CASE("an envelope has at most so many items") {
  std::string body = "{}\n";
  for (std::uint64_t i = 0; i < limits{}.ingest.envelope_items + 5; ++i)
    body += "{\"type\":\"session\"}\n{}\n";
  const auto out = decoded_as("sentry", body);
  CHECK(out.counted_only == limits{}.ingest.envelope_items);
  CHECK(out.rejected == 1);
}

TEST_CASE("an event is taken once, whatever way it comes") {
  auto decoder = test::make_decoder();
  const auto* row = find_format("sentry");
  const auto now = *from_iso8601("2026-01-28T14:30:00Z");
  const auto body = "{\"event_id\":\"e1\"}\n" + event_item(R"({"message":"a","event_id":"other"})");
  CHECK(decoder.decode(*row, body, now)->events.size() == 1);
  CHECK(decoder.decode(*row, body, now)->events.empty());
  CHECK(decoder.decode(*row, "{}\n" + event_item(R"({"message":"a","event_id":"e1"})"), now)
            ->events.empty());
  CHECK(decoder.decode(*row, "{}\n" + event_item(R"({"message":"a"})"), now)->events.size() == 1);
}

TEST_CASE("a program is named by its release, else by the project of its DSN") {
  const auto body = "{}\n" + event_item(R"({"message":"a"})");
  CHECK(decoded_as("sentry", body, {{}, "shop", {}}).events[0].service == "shop");
  CHECK(decoded_as("sentry", body, {{}, "17", {}}).events[0].service.empty());
  CHECK(only_event(R"({"message":"a","release":"checkout@1.2"})").service == "checkout");
  CHECK(only_event(R"({"message":"a","release":"3f2a"})").service.empty());
}

TEST_CASE("names and ids of any length are cut or left out") {
  const std::string large(1U << 20U, 'x');
  const auto e =
      only_event(R"({"message":"a","event_id":")" + large + R"(","release":")" + large + "@1\"}");
  CHECK(e.service.size() < 256);
  CHECK_FALSE(contains(e.fields, "event_id"));
  CHECK(decoded_as("sentry", "{\"event_id\":\"" + large + "\"}\n").id.empty());
  const auto span =
      "{\"type\":\"span\"}\n{\"op\":\"http.server\",\"data\":{\"http.method\":\"" + large + "\"}}";
  const auto crumb =
      "{\"type\":\"event\"}\n{\"breadcrumbs\":[{\"category\":\"ui." + large + "\"}]}";
  for (const auto& item : {span, crumb})
    for (const auto& event : decoded_as("sentry", "{}\n" + item).events)
      CHECK(event.bytes() < 200'000);
}

TEST_CASE("times are seconds or texts; a clock that is days off gives way to the receipt") {
  const auto at = [](const char* timestamp) {
    return to_iso8601(
        only_event("{\"message\":\"a\",\"timestamp\":" + std::string{timestamp} + "}").at);
  };
  CHECK(at("1769610599.5") == "2026-01-28T14:29:59.500Z");
  CHECK(at(R"("2026-01-28T14:29:59.250000")") == "2026-01-28T14:29:59.250Z");
  CHECK(at(R"("2026-01-28T15:29:59+01:00")") == "2026-01-28T14:29:59.000Z");
  for (const auto* wrong : {"1", "1e300", "-5", "null", "\"soon\"", "{}", "4102444800"})
    CHECK(at(wrong) == "2026-01-28T14:30:00.000Z");
}

TEST_CASE("what was said is shown with its values, whoever put them in") {
  CHECK(only_event(R"({"message":"plain"})").message == "plain");
  CHECK(only_event(R"({"logentry":{"message":"lost %s of %d","params":["a",2]}})").message ==
        "lost a of 2");
  CHECK(
      only_event(R"({"message":{"message":"x %s","params":[7],"formatted":"x seven"}})").message ==
      "x seven");
  const auto said = only_event(R"({"level":"error","logentry":{"message":"lost"}})");
  CHECK(said.type == entry_type::exception);
  CHECK(contains(said.fields, R"("reported_by":"sentry")"));
  CHECK(only_event(R"({"level":"info","message":"a"})").type == entry_type::console);
}

TEST_CASE("members of the wrong type do no harm") {
  for (const auto* event :
       {"{}", R"({"exception":7})", R"({"exception":{"values":[7,null]}})",
        R"({"exception":{"values":[{"stacktrace":{"frames":[7,{},{"lineno":"x"}]}}]}})",
        R"({"exception":[],"threads":[{"crashed":1}],"message":{},"tags":[["a","b"]]})",
        R"({"level":3,"platform":[],"request":"x","contexts":[],"breadcrumbs":5,"sdk":9})"}) {
    CAPTURE(event);
    CHECK(decoded_as("sentry", "{}\n" + event_item(event)).events.size() == 1);
  }
}

} // namespace gasoline
