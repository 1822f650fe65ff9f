#include "tests/unit/support/stream_driver.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <string>
#include <utility>

using namespace gasoline;
using namespace gasoline::test;
using namespace std::chrono_literals;

TEST_CASE("each filter holds back its alerts and says so") {
  stream_driver d;
  auto c = config_with(1s);
  c.events = {event_filter::errors, event_filter::network_errors};
  c.severity_min = severity::warning;
  c.url = "/api/";
  d.enable(c);
  d.set_level(level_floor::error);
  d.offer(regression_alert(1));
  d.offer(with_level(error_alert(2), severity::info));
  d.offer(network_alert(3, literal{"/static/app.js"}));
  d.offer(network_alert(4, redacted_text{}));
  d.offer(with_level(error_alert(5), severity::warning));
  CHECK(d.emissions.empty());
  const auto s = d.throttle.status().suppressed_by;
  CHECK(s.at("events") == 1);
  CHECK(s.at("severity") == 1);
  CHECK(s.at("url") == 2);
  CHECK(s.at("level") == 1);
  d.offer(network_alert(6, literal{"https://x.test/api/users?id=1"}));
  CHECK(d.emissions.size() == 1);
}

TEST_CASE("the URL filter is literal and skips kinds without a meaningful URL") {
  stream_driver d;
  auto c = config_with(1s);
  c.url = "/a.i[";
  d.enable(c);
  d.offer(network_alert(1, literal{"/api["}));
  CHECK(d.emissions.empty());
  d.offer(error_alert(2));
  CHECK(d.emissions.size() == 1);
  auto ci = error_alert(3);
  ci.category = alert_category::ci;
  ci.kind = alert_topic::ci;
  ci.url = literal{"https://ci.test/run/1"};
  d.run_until(at(3s));
  d.offer(ci);
  CHECK(d.emissions.size() == 2);
  d.run_until(at(6s));
  d.offer(network_alert(4, literal{"/a.i["}));
  CHECK(d.emissions.size() == 3);
  auto page = regression_alert(5);
  page.url = literal{"/home"};
  d.offer(page);
  CHECK(d.throttle.status().suppressed_by.at("url") == 2);
}

TEST_CASE("filter values match kinds and categories of their name, never neighbours") {
  stream_driver d;
  auto c = config_with(1s);
  c.events = {event_filter::errors};
  d.enable(c);
  d.offer(network_alert(1, literal{"/api"}));
  CHECK(d.emissions.empty());
  c.events = {event_filter::anomaly};
  d.enable(c);
  d.offer(network_alert(2, literal{"/api"}));
  CHECK(d.emissions.size() == 1);
  d.offer(regression_alert(3));
  CHECK(d.throttle.status().suppressed_by.at("events") == 1);
}

TEST_CASE("a higher level also applies to what is pending") {
  stream_driver d;
  d.enable(config_with(5s));
  d.offer(error_alert(1));
  d.offer(with_level(error_alert(2), severity::warning));
  d.offer(error_alert(3));
  d.set_level(level_floor::error);
  d.run_until(at(5s));
  REQUIRE(d.emissions.size() == 2);
  REQUIRE(d.emissions[1].members.size() == 1);
  CHECK(d.emissions[1].members[0].id == 3);
  CHECK(d.throttle.status().suppressed_by.at("level") == 1);
}

TEST_CASE("a level above error silences everything until it is lowered") {
  stream_driver d;
  d.enable(config_with(5s));
  d.set_level(level_floor::silent);
  d.offer(error_alert(1));
  CHECK(d.emissions.empty());
  d.set_level(level_floor::info);
  d.offer(error_alert(1));
  CHECK(d.emissions.size() == 1);
}
