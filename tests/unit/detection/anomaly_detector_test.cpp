#include "actors/detection/anomaly_detector.hpp"
#include "actors/detection/direct_alert.hpp"
#include "tests/unit/support/alert_probe.hpp"
#include "tests/unit/support/event_samples.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace gasoline;
using namespace gasoline::test;
using namespace std::chrono_literals;

namespace {

struct anomaly_detector_fixture {
  explicit anomaly_detector_fixture(limits limit = {})
      : probe(vs),
        detector(vs.own(vs.sys.spawn(anomaly_detector, probe.hub, fixed_clock(), limit))) {}

  std::vector<alert> post(std::vector<event> events) {
    caf::anon_send(detector, batch_atom_v, batch_of(std::move(events)));
    vs.settle();
    return probe.take();
  }

  virtual_system vs;
  alert_probe probe;
  anomaly_detector_actor detector;
};

bool contains(const redacted_text& text, std::string_view part) {
  return text.view().find(part) != std::string_view::npos;
}

alert direct(const event& e) {
  const auto a = direct_alert(e, limits{});
  REQUIRE(a);
  return *a;
}

} // namespace

TEST_CASE("an uncaught error is an anomaly of kind errors") {
  auto e =
      exception_event("Uncaught TypeError: x is not a function",
                      "TypeError: x is not a function\n    at f (https://a.test/a.js:1:2)\n    "
                      "at g (https://a.test/a.js:3:4)");
  e.page = literal{"https://a.test/checkout"};
  const auto a = direct(e);
  CHECK(a.title.str() == "Uncaught TypeError: x is not a function");
  CHECK(a.category == alert_category::anomaly);
  CHECK(a.kind == alert_topic::errors);
  CHECK(a.level == severity::error);
  CHECK(a.source.str() == "anomaly_detector");
  CHECK(a.detail.str() == "at f (https://a.test/a.js:1:2)\nat g (https://a.test/a.js:3:4)");
  CHECK(a.url.str() == "https://a.test/checkout");
  CHECK(a.page_data);
  CHECK(a.next.str() == R"(observe {"what":"errors"})");

  e.message = literal{"TypeError: x is not a function"};
  CHECK(direct(e).title.str() == "Uncaught TypeError: x is not a function");
  CHECK(direct(e).dedup_key == a.dedup_key);
  e.message = literal{"Unhandled promise rejection: nope"};
  CHECK(direct(e).title.str() == "Unhandled promise rejection: nope");
  e.message = redacted_text{};
  CHECK(direct(e).title.str() == "Uncaught error without a message");
}

TEST_CASE("a console error that says it is uncaught counts as one, others do not") {
  CHECK(direct_alert(console_event(log_level::error, "Uncaught (in promise) boom"), limits{}));
  CHECK_FALSE(direct_alert(console_event(log_level::error, "boom"), limits{}));
  CHECK_FALSE(direct_alert(console_event(log_level::info, "Uncaught boom"), limits{}));
}

TEST_CASE("failed requests") {
  auto e = request_event("POST", "http://localhost:3000/api/users?page=2", 500);
  e.duration_ms = 234;
  e.fields = literal{R"("content_type":"text/html","headers":{"authorization":"[REDACTED]"})"};
  auto a = direct(e);
  CHECK(a.title.str() == "Server error: POST /api/users -> 500");
  CHECK(a.dedup_key.str() == "POST:/api/users:500");
  CHECK(a.category == alert_category::anomaly);
  CHECK(a.kind == alert_topic::network_errors);
  CHECK(a.level == severity::error);
  CHECK(contains(a.detail, "Request failed with Internal Server Error after 234 ms"));
  REQUIRE(a.context);
  CHECK(a.context->method.str() == "POST");
  CHECK(a.context->status == 500);
  CHECK(a.context->duration_ms == 234);
  CHECK(a.context->headers.str() == R"("authorization":"[REDACTED]")");
  CHECK(a.next.str() == R"(observe {"what":"network_bodies","status_min":400})");

  a = direct(request_event("GET", "/x", 404));
  CHECK(a.title.str() == "Client error: GET /x -> 404");
  CHECK(a.level == severity::warning);
  CHECK(a.kind == alert_topic::network_errors);

  a = direct(request_event("GET", "/x", 0));
  CHECK(a.title.str() == "Request failed: GET /x (no answer)");
  CHECK(a.level == severity::error);

  CHECK_FALSE(direct_alert(request_event("GET", "/x", 200), limits{}));
  CHECK_FALSE(direct_alert(request_event("GET", "/x", -1), limits{}));
}

TEST_CASE("a request that the log reports is judged alike") {
  auto e = request_event("POST", "/api/users", 500);
  e.kind = telemetry_kind::log;
  e.type = entry_type::network;
  e.level = log_level::error;
  CHECK(direct(e).title.str() == "Server error: POST /api/users -> 500");
  CHECK(direct(e).next.str() == R"(observe {"what":"errors"})");
}

TEST_CASE("waterfall entries need a status, or 0 with an error") {
  auto e = request_event("", "https://cdn.test/a.png", 0);
  e.kind = telemetry_kind::request;
  CHECK_FALSE(direct_alert(e, limits{}));
  e.fields = literal{R"("error":"net::ERR_NAME_NOT_RESOLVED")"};
  CHECK(direct(e).title.str() == "Request failed: cdn.test/a.png (no answer)");
  e.fields = literal{R"("initiator_type":"img")"};
  e.status = 404;
  CHECK_FALSE(direct_alert(e, limits{}));
  e.status = 503;
  CHECK(direct_alert(e, limits{}));
  e.fields = literal{R"("initiator_type":"fetch")"};
  e.status = 404;
  CHECK(direct_alert(e, limits{}));
}

TEST_CASE("a long path leaves the status visible") {
  auto e = request_event("GET", "", 500);
  e.url = literal{"/"};
  for (int i = 0; i < 100; ++i)
    e.url += "segment/";
  const auto a = direct(e);
  CHECK(a.title.size() <= limits{}.alert.title_bytes);
  CHECK(contains(a.title, "-> 500"));
  CHECK(a.url.size() <= limits{}.entry.url_bytes);
  CHECK(a.dedup_key.size() <= limits{}.alert.key_bytes);
}

TEST_CASE("WebSockets") {
  const auto a = direct(close_event("wss://a.test/live?token=x", 1006));
  CHECK(a.title.str() == "WebSocket closed abnormally: wss://a.test/live (code 1006)");
  CHECK(a.level == severity::warning);
  CHECK(a.kind == alert_topic::network_errors);
  for (const std::int32_t code : {1000, 1001, 1005, -1})
    CHECK_FALSE(direct_alert(close_event("wss://a.test/live", code), limits{}));
  for (const std::int32_t code : {1002, 1011, 1012, 4001})
    CHECK(direct_alert(close_event("wss://a.test/live", code), limits{}));
  auto error = close_event("wss://a.test/live", -1);
  error.name = literal{"error"};
  CHECK(direct(error).title.str() == "WebSocket error: wss://a.test/live");
  CHECK(direct(error).dedup_key == a.dedup_key);
}

TEST_CASE("security findings are thresholds of kind security") {
  auto e = console_event(log_level::warn, "Refused to load the script 'https://evil.test/x.js'");
  e.type = entry_type::security;
  const auto a = direct(e);
  CHECK(a.title.str() ==
        "Security policy violation: Refused to load the script 'https://evil.test/x.js'");
  CHECK(a.category == alert_category::threshold);
  CHECK(a.kind == alert_topic::security);
  CHECK(a.level == severity::warning);
  e.message = literal{"http://a.test/x.png"};
  e.fields = literal{R"("kind":"mixed_content")"};
  CHECK(direct(e).title.str() == "Mixed content: http://a.test/x.png");
}

TEST_CASE("only what may alert is looked at") {
  CHECK_FALSE(may_alert(console_event(log_level::info, "x")));
  CHECK_FALSE(may_alert(request_event("GET", "/x", 200)));
  CHECK(may_alert(request_event("GET", "/x", 0)));
  event action;
  action.kind = telemetry_kind::action;
  CHECK_FALSE(may_alert(action));
}

TEST_CASE("one alert per fault and batch, with the sum of its occurrences and their spike") {
  anomaly_detector_fixture f;
  std::vector<event> events(1000,
                            exception_event("TypeError: x", "at f (https://a.test/a.js:1:2)"));
  events[3].count = 5;
  const auto alerts = f.post(std::move(events));
  REQUIRE(alerts.size() == 1);
  CHECK(alerts[0].count == 1004);
  CHECK(to_iso8601(alerts[0].at) == "2026-01-28T14:30:00.000Z");
  CHECK(alerts[0].raised == f.vs.now());
  REQUIRE(alerts[0].also.size() == 1);
  CHECK(alerts[0].also[0].str() == "Error frequency spike: 1004 in 10 s");
}

TEST_CASE("a spike tells what no other alert told") {
  anomaly_detector_fixture f;
  std::vector<event> events(6, console_event(log_level::error, "save failed"));
  events.push_back(exception_event("TypeError: x", "at f (https://a.test/a.js:1:2)"));
  const auto alerts = f.post(std::move(events));
  REQUIRE(alerts.size() == 2);
  CHECK(alerts[1].title.str() == "Error frequency spike: 6 more errors in 10 s");
  CHECK(alerts[1].level == severity::warning);
  CHECK(alerts[1].category == alert_category::anomaly);
  CHECK(alerts[1].kind == alert_topic::errors);
  CHECK(alerts[1].source.str() == "anomaly_detector");
}

TEST_CASE("every occurrence raises its alert") {
  anomaly_detector_fixture f;
  for (int i = 0; i < 3; ++i) {
    const auto alerts = f.post({exception_event("TypeError: x", "")});
    REQUIRE(alerts.size() == 1);
    CHECK(alerts[0].count == 1);
    f.vs.advance(31s);
  }
}

TEST_CASE("distinct alerts of a batch are bounded per severity and the rest is counted") {
  limits limit;
  limit.push.pending = 2;
  anomaly_detector_fixture f{limit};
  std::vector<event> events;
  for (const auto path : {literal{"/a"}, literal{"/b"}, literal{"/c"}, literal{"/d"}})
    events.push_back(request_event("GET", path, 404));
  events.push_back(request_event("GET", "/e", 500));
  const auto alerts = f.post(std::move(events));
  REQUIRE(alerts.size() == 4); // three warnings and the error, which says that there is a spike
  CHECK(alerts[3].context->status == 500);
  CHECK(alerts[3].also.size() == 1);
  const auto health = f.vs.ask<health_part>(f.detector, health_atom_v);
  REQUIRE(health);
  CHECK((**health)["dropped"]["alerts_beyond_batch_cap"] == 1);
}

TEST_CASE("errors and network failures spike apart") {
  anomaly_detector_fixture f;
  auto image = request_event("GET", "/x.png", 404);
  image.kind = telemetry_kind::request;
  image.fields = literal{R"("initiator_type":"img")"};
  for (int i = 0; i < 4; ++i) {
    CHECK(f.post({console_event(log_level::error, "a"), image}).empty());
    f.vs.advance(1s);
  }
  auto alerts = f.post({console_event(log_level::error, "a")});
  REQUIRE(alerts.size() == 1);
  CHECK(alerts[0].title.str() == "Error frequency spike: 5 errors in 10 s");
  CHECK(alerts[0].level == severity::warning);
  alerts = f.post({image});
  REQUIRE(alerts.size() == 1);
  CHECK(alerts[0].title.str() == "Network failure spike: 5 failures in 10 s");
  CHECK(alerts[0].kind == alert_topic::network_errors);
}

TEST_CASE("a spike is told once, anew as it grows, and its end") {
  anomaly_detector_fixture f;
  const std::vector<event> six(6, console_event(log_level::error, "a"));
  auto alerts = f.post(six);
  REQUIRE(alerts.size() == 1);
  CHECK_FALSE(alerts[0].update);
  alerts = f.post(six);
  REQUIRE(alerts.size() == 1);
  CHECK(alerts[0].update);
  CHECK(alerts[0].title.str() == "Error frequency spike: 12 errors in 10 s");
  f.vs.advance(80s);
  alerts = f.probe.take();
  REQUIRE(alerts.size() == 1);
  CHECK(alerts[0].title.str().substr(0, 42) == "Error frequency spike is over: 12 in 20 s");
  CHECK(alerts[0].update);
  CHECK(alerts[0].ends.str() == "spike:errors");
  CHECK(f.post(six).size() == 1);
}

TEST_CASE("a request that failed and what it causes are one alert") {
  anomaly_detector_fixture f;
  auto request = request_event("GET", "http://localhost:3000/api/profile", 500);
  request.page = literal{"http://localhost:3000/"};
  auto rejection =
      exception_event("Unhandled rejection: Error: Request failed with status code 500",
                      "at load (http://localhost:3000/a.js:1:2)");
  rejection.url = literal{"http://localhost:3000/"};
  auto logged = console_event(log_level::error, "profile failed: HTTP 500");
  logged.url = literal{"http://localhost:3000/"};

  SUBCASE("the cause first") {
    auto alerts = f.post({request});
    REQUIRE(alerts.size() == 1);
    alerts = f.post({rejection, logged});
    REQUIRE(alerts.size() == 1);
    CHECK(alerts[0].update);
    CHECK(alerts[0].dedup_key.str() == "GET:/api/profile:500");
    CHECK(alerts[0].also.size() == 2);
  }
  SUBCASE("the effect first") {
    auto alerts = f.post({rejection});
    REQUIRE(alerts.size() == 1);
    const auto effect = alerts[0].dedup_key;
    alerts = f.post({request});
    REQUIRE(alerts.size() == 1);
    CHECK_FALSE(alerts[0].update);
    REQUIRE(alerts[0].effects.size() == 1);
    CHECK(alerts[0].effects[0] == effect);
    CHECK(alerts[0].also.size() == 1);
    CHECK(f.post({rejection}).empty());
  }
  SUBCASE("another status, another path, another page and another time are not joined") {
    f.post({request});
    rejection.message = literal{"Unhandled rejection: Error: Request failed with status code 404"};
    CHECK_FALSE(f.post({rejection})[0].update);
    rejection.message = literal{"Unhandled rejection: Error: HTTP 500 at http://b.test/api/other"};
    CHECK_FALSE(f.post({rejection})[0].update);
    rejection.message = literal{"Unhandled rejection: Error: got 500"};
    rejection.url = literal{"http://localhost:4000/"};
    CHECK_FALSE(f.post({rejection})[0].update);
    f.vs.advance(3s);
    rejection.message = literal{"Unhandled rejection: Error: status 500"};
    rejection.url = literal{"http://localhost:3000/"};
    CHECK_FALSE(f.post({rejection})[0].update);
  }
}

TEST_CASE("what the page script joins is joined, whatever the texts say") {
  anomaly_detector_fixture f;
  auto request = request_event("GET", "http://localhost:3000/api/x", 500);
  request.fields = literal{R"("page_id":"p1","request_id":"r7")"};
  auto logged = exception_event("cannot show it", "");
  logged.fields = literal{R"("page_id":"p1","request_id":"r7","error_id":"e1")"};
  auto thrown = exception_event("oh no", "at f (http://localhost:3000/a.js:1:2)");
  thrown.fields = literal{R"("page_id":"p1","error_id":"e1")"};
  const auto alerts = f.post({request, logged, thrown});
  REQUIRE(alerts.size() == 1);
  CHECK(alerts[0].also.size() == 2);
  logged.fields = literal{R"("page_id":"p2","request_id":"r7")"};
  logged.message = literal{"another page"};
  CHECK(f.post({logged}).size() == 1);
}

TEST_CASE("a socket that is connected again within a moment says nothing") {
  anomaly_detector_fixture f;
  const auto url = literal{"ws://localhost:3000/live"};
  auto open = close_event(url, -1);
  open.name = literal{"open"};
  auto error = close_event(url, -1);
  error.name = literal{"error"};
  CHECK(f.post({close_event(url, 1012), error}).empty());
  f.vs.advance(2s);
  CHECK(f.post({open}).empty());
  f.vs.advance(10s);
  CHECK(f.probe.take().empty());
  // One that stays away is one fault; its return is told.
  f.post({close_event(url, 1006)});
  for (int i = 0; i < 12; ++i) {
    f.vs.advance(900ms);
    f.post({error, close_event(url, 1006)});
  }
  f.vs.advance(1s);
  CHECK(f.post({close_event(url, 1011)}).size() == 1);
  const auto back = f.post({open});
  REQUIRE(back.size() == 1);
  CHECK(back[0].ends.str() == "WS:/live:1006");
}

TEST_CASE("a build that is broken is one alert until it passes") {
  anomaly_detector_fixture f;
  auto broken = exception_event("Unexpected token (12:3)", "");
  broken.build = build_state::failed;
  broken.url = literal{"http://localhost:5173/"};
  broken.fields =
      literal{R"("reported_by":"vite","build":"failed","filename":"/src/Cart.jsx","lineno":12)"};
  auto line = console_event(log_level::error, "[vite] Failed to reload /src/Cart.jsx. (see above)");
  line.url = literal{"http://localhost:5173/"};
  auto module = request_event("GET", "http://localhost:5173/src/Cart.jsx", 500);
  module.page = literal{"http://localhost:5173/"};
  auto alerts = f.post({broken, line, module});
  REQUIRE(alerts.size() == 1);
  CHECK(alerts[0].title.str() == "Build failed: /src/Cart.jsx:12: Unexpected token (12:3)");
  CHECK(alerts[0].also.size() == 2);
  const auto key = alerts[0].dedup_key;
  f.vs.advance(10s);
  alerts = f.post({broken});
  REQUIRE(alerts.size() == 1);
  CHECK(alerts[0].update);
  auto passes = console_event(log_level::info, "vite: compiles again");
  passes.build = build_state::passed;
  passes.url = literal{"http://localhost:5173/"};
  alerts = f.post({passes});
  REQUIRE(alerts.size() == 1);
  CHECK(alerts[0].ends == key);
  CHECK(f.post({broken}).empty()); // printed once more while it updates
  f.vs.advance(10s);
  alerts = f.post({broken});
  REQUIRE(alerts.size() == 1);
  CHECK_FALSE(alerts[0].update);
}

TEST_CASE("the question whether somebody is logged in is told once, as info") {
  anomaly_detector_fixture f;
  const auto refused = request_event("GET", "http://localhost:3000/api/me", 401);
  auto alerts = f.post({refused});
  REQUIRE(alerts.size() == 1);
  CHECK(alerts[0].level == severity::info);
  CHECK(f.post({refused}).empty());
  f.post({request_event("GET", "http://localhost:3000/api/me", 200)});
  f.vs.advance(10s);
  alerts = f.post({refused});
  REQUIRE(alerts.size() == 1);
  CHECK(alerts[0].level == severity::warning);
}

TEST_CASE("noise raises nothing, a hint one advice per page") {
  anomaly_detector_fixture f;
  auto noise = exception_event("ResizeObserver loop limit exceeded", "");
  noise.noise = noise_mark::noise;
  CHECK(f.post(std::vector<event>(500, noise)).empty());
  auto hint = exception_event("Script error.", "");
  hint.noise = noise_mark::hint;
  hint.page = literal{"https://a.test/x"};
  auto alerts = f.post(std::vector<event>(10, hint));
  REQUIRE(alerts.size() == 1);
  CHECK(alerts[0].level == severity::info);
  CHECK(contains(alerts[0].detail, "crossorigin"));
  CHECK(f.post({hint}).empty());
  hint.page = literal{"https://a.test/y"};
  CHECK(f.post({hint}).size() == 1);
}

TEST_CASE("the ticket goes on to the hub and is not kept") {
  anomaly_detector_fixture f;
  bool done = false;
  auto ticket = std::make_shared<const ingest_ticket>([&] { done = true; });
  caf::anon_send(f.detector, batch_atom_v,
                 batch_of({exception_event("x", "")}, std::exchange(ticket, {})));
  f.vs.settle();
  CHECK(*f.probe.with_ticket == 1);
  CHECK(done);
}

TEST_CASE("health of the detector") {
  anomaly_detector_fixture f;
  f.post({exception_event("x", ""), request_event("GET", "/x", 0)});
  const auto health = f.vs.ask<health_part>(f.detector, health_atom_v);
  REQUIRE(health);
  CHECK((**health)["detector"]["errors"] == 1);
  CHECK((**health)["detector"]["network_failures"] == 1);
  CHECK((**health)["detector"]["alerts"] == 2);
}
